/** Devices as plain objects: parsed JSON, or rows of another store (Contract: §15). */
import type { CustomValue, Device, InstalledSoftware, NetworkInterface } from '#domain/device/device.ts';
import type { EpochMs } from '#domain/time.ts';

/** Whole epoch milliseconds, or an ISO 8601 date such as `2026-02-10T08:00:00Z` (Contract: §4). */
export type PlainInstant = EpochMs | string;

/** Absent and null both mean missing. */
type Optional<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

type Unchanged = Omit<
  Device,
  | 'id'
  | 'orgId'
  | 'siteId'
  | 'enrolledAt'
  | 'lastSeenAt'
  | 'quarantinedAt'
  | 'hardware'
  | 'metrics'
  | 'network'
  | 'software'
  | 'custom'
>;

/**
 * A device as filters read it. Absent or null members are missing; a missing `rebootRequired` is false, a missing
 * count 0, a missing list empty. Other members are ignored.
 */
export interface PlainDevice extends Optional<Unchanged> {
  /** In either case. */
  readonly orgId?: string | null | undefined;
  readonly siteId?: string | null | undefined;
  readonly enrolledAt?: PlainInstant | null | undefined;
  readonly lastSeenAt?: PlainInstant | null | undefined;
  readonly quarantinedAt?: PlainInstant | null | undefined;
  readonly hardware?: Optional<Device['hardware']> | null | undefined;
  readonly metrics?: Optional<Device['metrics']> | null | undefined;
  readonly network?: readonly Optional<NetworkInterface>[] | null | undefined;
  readonly software?:
    | readonly (Pick<InstalledSoftware, 'name'> & Optional<InstalledSoftware>)[]
    | null
    | undefined;
  /** By key; dates are ISO 8601. A value that does not fit its definition is missing (Contract: §4). */
  readonly custom?:
    | ReadonlyMap<string, CustomValue>
    | { readonly [key: string]: CustomValue | undefined }
    | null
    | undefined;
}
