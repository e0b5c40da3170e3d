/** Finds texts that JSON can carry but that cannot be stored, or that are too long for an index. */
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import { unindexableReason, unstorableReason } from '#domain/text/storable-text.ts';

/**
 * At most 20 faults. Texts are refused, not repaired: nobody knows what a serial number with a NUL was meant to be.
 * Texts that Fleetsift does not read may hold anything.
 */
export function unstorableFaults(inventory: DeviceInventory): readonly string[] {
  const { hardware = {}, network = [], software = [], ...scalars } = inventory.fields;
  const named: readonly (readonly [string, object])[] = [
    ['', { deviceid: inventory.inventoryId, systemUuid: inventory.identity.systemUuid, ...scalars }],
    ['hardware.', hardware],
    ...network.map((item, i) => [`network[${i}].`, item] as const),
    ...software.map((item, i) => [`software[${i}].`, item] as const),
  ];
  const faults: string[] = [];
  for (const [path, members] of named) {
    for (const [name, value] of Object.entries(members)) {
      if (typeof value !== 'string') continue;
      const reason = KEYS.has(name) ? unindexableReason(value) : unstorableReason(value);
      if (reason !== null) faults.push(`${path}${name} ${reason}`);
    }
  }
  return faults.slice(0, MAX_FAULTS);
}

/** Indexed for searching or sorting. */
const KEYS: ReadonlySet<string> = new Set([
  ...['deviceid', 'systemUuid', 'hostname', 'serialNumber', 'ipAddress', 'publicIp', 'macAddress'],
]);

const MAX_FAULTS = 20;
