/**
 * What one inventory says of one device, whatever the format it came in.
 *
 * A full inventory carries every member, so that what the device no longer has is cleared. A partial one carries
 * only what it updates: an absent member leaves the device as it is (Contract: §9, "Import").
 */
import type {
  Architecture,
  Device,
  DeviceHardware,
  DeviceRole,
  InstalledSoftware,
  NetworkInterface,
  OsType,
} from '#domain/device/device.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';

/** The members of a device that an inventory may speak of. */
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

interface InventoryHeader {
  /** The device's own name for itself in inventories; devices are matched by (organization, inventoryId). */
  readonly inventoryId: string;
  /** When the inventory was taken, where it says. */
  readonly takenAt: EpochMs | null;
}

export type DeviceInventory =
  | (InventoryHeader & { readonly kind: 'full'; readonly fields: InventoriedFields })
  | (InventoryHeader & { readonly kind: 'partial'; readonly fields: PartialFields });

/** What a partial inventory carries; of the hardware, too, only what it names is changed. */
export type PartialFields = Partial<Omit<InventoriedFields, 'hardware'>> & {
  readonly hardware?: Partial<DeviceHardware>;
};

/** An inventory younger than this makes its device online (Contract: §9, "Import"). */
export const ONLINE_WITHIN_MS = DAY_MS;

/** Online when the inventory is under a day old at `now`, else offline. A date ahead of `now` is young. */
export function statusFromInventory(takenAt: EpochMs | null, now: EpochMs): Device['status'] {
  return takenAt !== null && now - takenAt < ONLINE_WITHIN_MS ? 'online' : 'offline';
}

/**
 * The members of a device that the date of its inventory decides. Without a date a full inventory cannot show that
 * the device is online; a partial one then leaves both as they are.
 */
export function stateFromInventory(
  { kind, takenAt }: Pick<DeviceInventory, 'kind' | 'takenAt'>,
  now: EpochMs,
): Partial<Pick<Device, 'status' | 'lastSeenAt'>> {
  if (takenAt !== null) return { status: statusFromInventory(takenAt, now), lastSeenAt: takenAt };
  return kind === 'full' ? { status: statusFromInventory(null, now) } : {};
}
