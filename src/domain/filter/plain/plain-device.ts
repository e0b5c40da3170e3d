/**
 * Devices as plain objects, for filters that are evaluated without the service: as JSON has them, or somebody else's
 * store (Contract: §15).
 */
import type { CustomValue, Device, InstalledSoftware, NetworkInterface } from '#domain/device/device.ts';
import type { EpochMs } from '#domain/time.ts';

/** Whole milliseconds since the Unix epoch, or an ISO 8601 date such as `2026-02-10T08:00:00Z` (Contract: §4). */
export type PlainInstant = EpochMs | string;

/** Every member may be left out, or be null: either is a missing value. */
type Optional<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** The members of a device that are as they are in the service. */
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
 * What filters read of a device. Anything may be left out, or be null, and is then missing; `rebootRequired` that was
 * not reported is false, a count 0, and a list empty. Other members are of no concern.
 */
export interface PlainDevice extends Optional<Unchanged> {
  /** Ids in either case. */
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
  /** By key, each as its definition has it (a date as ISO 8601); one that does not fit is missing (Contract: §4). */
  readonly custom?:
    | ReadonlyMap<string, CustomValue>
    | { readonly [key: string]: CustomValue | undefined }
    | null
    | undefined;
}
