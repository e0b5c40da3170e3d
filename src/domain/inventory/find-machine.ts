/** Finds the device of an inventory, within its organization (Contract: §13). */
import type { DeviceId } from '#domain/ids.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { type MachineKeys, machineKeys } from './machine-keys.ts';

/** The machine as its inventory identifies it. */
export interface ReportedMachine {
  readonly inventoryId: string;
  readonly keys: MachineKeys;
}

/** The machine behind a stored device. */
export interface KnownMachine {
  readonly id: DeviceId;
  readonly inventoryIds: ReadonlySet<string>;
  readonly keys: MachineKeys;
}

/** The identity that the inventory states. */
export function reportedMachine({ kind, inventoryId, identity, fields }: DeviceInventory): ReportedMachine {
  const { systemUuid, macAddresses } = identity;
  return {
    inventoryId,
    keys: machineKeys({
      serialNumber: fields.hardware?.serialNumber ?? null,
      systemUuid,
      // A partial inventory may have left out the serial number, so its MAC addresses do not count.
      macAddresses: kind === 'full' ? macAddresses : [],
    }),
  };
}

/**
 * The device of the inventory, or null. The strongest match wins: inventoryId, serial number, UUID, then a MAC address
 * if neither side has a serial number or UUID. Ties go to the next rule, then to the lower id. Different serial numbers
 * rule a device out, as do different UUIDs if one side has no serial number, because clones share their inventoryId.
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

/** One bit for each rule, the strongest first; 0 if none matches. */
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
