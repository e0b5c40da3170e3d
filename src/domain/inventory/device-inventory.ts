/**
 * What one inventory says about one device, whatever its format.
 *
 * A full inventory has every member, so that what the device no longer has is cleared. A partial one has only what it
 * updates; absent members leave the device as it is (Contract: §9, "Import").
 */
import type {
  Architecture,
  Device,
  DeviceHardware,
  DeviceRole,
  DeviceStatus,
  InstalledSoftware,
  NetworkInterface,
  OsType,
} from '#domain/device/device.ts';
import { isLasting } from '#domain/device/lasting-status.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';

/** The members of a device that an inventory can set. */
export interface InventoriedFields {
  readonly hostname: string;
  readonly deviceRole: DeviceRole;
  readonly osType: OsType | null;
  readonly osVersion: string | null;
  readonly osBuild: string | null;
  readonly architecture: Architecture | null;
  readonly agentVersion: string | null;
  readonly lastUser: string | null;
  /** Seconds. */
  readonly uptimeSeconds: number | null;
  readonly hardware: DeviceHardware;
  readonly network: readonly NetworkInterface[];
  readonly software: readonly InstalledSoftware[];
}

/** As it was reported; see `machine-keys.ts` for what counts. */
export interface ReportedIdentity {
  /** Of the firmware or the hypervisor, in whatever form; null if it was not reported. */
  readonly systemUuid: string | null;
  /** Of adapters that the agent does not call virtual. */
  readonly macAddresses: readonly string[];
}

interface InventoryHeader {
  /** What the agent calls the machine. It outlives a change of name; a clone of the machine goes by the same. */
  readonly inventoryId: string;
  /** What else tells the machine from others, and its device does not show. */
  readonly identity: ReportedIdentity;
  /** When the inventory was taken; null if it does not say. */
  readonly takenAt: EpochMs | null;
}

/** A full inventory replaces what inventories cover, a partial one changes what it has. */
export type DeviceInventory =
  | (InventoryHeader & { readonly kind: 'full'; readonly fields: InventoriedFields })
  | (InventoryHeader & { readonly kind: 'partial'; readonly fields: PartialFields });

/** What a partial inventory sets; of the hardware, too, only the members present are changed. */
export type PartialFields = Partial<Omit<InventoriedFields, 'hardware'>> & {
  readonly hardware?: Partial<DeviceHardware>;
};

/** Whose hand an inventory comes from: a person's, who imports a file, or the machine's, which reports by itself. */
export type InventorySource = 'import' | 'report';

/** An inventory younger than this makes its device online (Contract: §9, "Import"). */
export const ONLINE_WITHIN_MS = DAY_MS;

/** Online if the inventory is under a day old at `now`, or dated after it; else offline. */
export function statusFromInventory(takenAt: EpochMs, now: EpochMs): Device['status'] {
  return now - takenAt < ONLINE_WITHIN_MS ? 'online' : 'offline';
}

/**
 * The status and lastSeenAt that the inventory gives its device. A status that stays (`isLasting`) is not changed by
 * any.
 *
 * What the machine itself reports shows that it is online now, whatever its clock says. Of what is imported, the date
 * decides. Without one, a full inventory is of the time of its import, and a partial one changes neither member.
 */
export function stateAfter(
  { kind, takenAt }: Pick<DeviceInventory, 'kind' | 'takenAt'>,
  source: InventorySource,
  now: EpochMs,
  /** Null for a new device. */
  known: DeviceStatus | null,
): Partial<Pick<Device, 'status' | 'lastSeenAt'>> {
  const isKept = known !== null && isLasting(known);
  if (source === 'report') return { ...(!isKept && { status: 'online' }), lastSeenAt: now };
  if (takenAt === null && kind === 'partial') return {};
  const lastSeenAt = takenAt ?? now;
  return { ...(!isKept && { status: statusFromInventory(lastSeenAt, now) }), lastSeenAt };
}
