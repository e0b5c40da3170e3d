/** Finds the device of an inventory, within its organization (Contract: §13). */
import type { DeviceId } from '#domain/ids.ts';
import type { DeviceInventory } from './device-inventory.ts';
import { areOtherMachines, type MachineKeys, machineKeys } from './machine-keys.ts';

/** The machine that an inventory describes. It has at most one serial number and one UUID. */
export interface ReportedMachine {
  readonly inventoryId: string;
  readonly keys: MachineKeys;
}

export interface KnownMachine {
  readonly id: DeviceId;
  readonly inventoryIds: ReadonlySet<string>;
  /** Present and past keys. */
  readonly keys: MachineKeys;
}

/** Reads the machine's keys from its inventory. */
export function reportedMachine({ kind, inventoryId, identity, fields }: DeviceInventory): ReportedMachine {
  const { systemUuid, macAddresses } = identity;
  return {
    inventoryId,
    keys: machineKeys({
      serialNumbers: [fields.hardware?.serialNumber ?? null],
      systemUuids: [systemUuid],
      // A partial inventory may have left out the serial number, so its MAC addresses do not count.
      macAddresses: kind === 'full' ? macAddresses : [],
    }),
  };
}

/**
 * The strongest match wins: inventoryId, serial number, UUID, MAC address. MAC addresses count only if neither side has
 * a serial number or UUID. Ties go to the next rule, then to the lower id. Different serial numbers rule a device out,
 * because clones share their inventoryId. If one side has no serial number, different UUIDs do.
 */
export function findMachine<Known extends KnownMachine>(
  reported: ReportedMachine,
  known: readonly Known[],
): Known | null {
  let best: { readonly machine: Known; readonly rank: number } | null = null;
  for (const machine of known) {
    const rank = areOtherMachines(reported.keys, machine.keys) ? 0 : rankOf(reported, machine);
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
    keys.serials.some((serial) => known.keys.serials.includes(serial)),
    keys.uuids.some((uuid) => known.keys.uuids.includes(uuid)),
    isNameless(keys) && isNameless(known.keys) && keys.macs.some((mac) => known.keys.macs.includes(mac)),
  ];
  return found.reduce((rank, isFound) => rank * 2 + Number(isFound), 0);
}

function isNameless({ serials, uuids }: MachineKeys): boolean {
  return serials.length === 0 && uuids.length === 0;
}
