/** Which device an inventory is of: one machine is one device, within its organization (Contract: §13). */
import type { DeviceId } from '#domain/ids.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { type MachineKeys, machineKeys } from './machine-keys.ts';

/** The machine that an inventory is of, as far as the inventory says. */
export interface ReportedMachine {
  readonly inventoryId: string;
  readonly keys: MachineKeys;
}

/** The machine behind a device of the same organization. */
export interface KnownMachine {
  readonly id: DeviceId;
  /** Every one that it has gone by. */
  readonly inventoryIds: ReadonlySet<string>;
  readonly keys: MachineKeys;
}

/** What the inventory tells its machine by. */
export function reportedMachine({ kind, inventoryId, identity, fields }: DeviceInventory): ReportedMachine {
  const { systemUuid, macAddresses } = identity;
  return {
    inventoryId,
    keys: machineKeys({
      serialNumber: fields.hardware?.serialNumber ?? null,
      systemUuid,
      // A partial inventory does not say that the machine has no serial number, without which addresses do not count.
      macAddresses: kind === 'full' ? macAddresses : [],
    }),
  };
}

/**
 * The device that the inventory is of, or null if it is of none of these.
 *
 * It is the first that is found by its inventoryId, then by its serial number, its UUID, or a MAC address where neither
 * side has a serial number or a UUID; among several, what finds it next decides, at last the id. A device is another
 * machine if both have serial numbers that differ or, where one of them has none, UUIDs that differ: a clone goes by
 * the same inventoryId. Which other devices could be meant, too, makes no difference to them.
 */
export function findMachine<Known extends KnownMachine>(
  reported: ReportedMachine,
  known: readonly Known[],
): Known | null {
  let best: { readonly machine: Known; readonly rank: number } | null = null;
  for (const machine of known) {
    const rank = isAnother(reported.keys, machine.keys) ? 0 : rankOf(reported, machine);
    if (rank === 0) continue;
    if (best === null || rank > best.rank || (rank === best.rank && machine.id < best.machine.id)) {
      best = { machine, rank };
    }
  }
  return best === null ? null : best.machine;
}

/** A bit for each thing that finds the machine, the first in the order weighing most; 0 if nothing does. */
function rankOf({ inventoryId, keys }: ReportedMachine, known: KnownMachine): number {
  const found = [
    known.inventoryIds.has(inventoryId),
    keys.serial !== null && keys.serial === known.keys.serial,
    keys.uuid !== null && keys.uuid === known.keys.uuid,
    isNameless(keys) && isNameless(known.keys) && keys.macs.some((mac) => known.keys.macs.includes(mac)),
  ];
  return found.reduce((rank, isFound) => rank * 2 + Number(isFound), 0);
}

function isAnother(reported: MachineKeys, known: MachineKeys): boolean {
  if (reported.serial !== null && known.serial !== null) return reported.serial !== known.serial;
  return reported.uuid !== null && known.uuid !== null && reported.uuid !== known.uuid;
}

function isNameless({ serial, uuid }: MachineKeys): boolean {
  return serial === null && uuid === null;
}
