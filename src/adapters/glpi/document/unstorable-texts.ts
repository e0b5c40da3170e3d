/** Finds texts that cannot be stored, or are too long to find anything by, which JSON can carry all the same. */
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import { unindexableReason, unstorableReason } from '#domain/text/storable-text.ts';

/**
 * What is wrong with the texts of an inventory, at most 20 of them. They are refused and not mended: what a serial
 * number was before its NUL is anybody's guess. Texts that are not read can hold what they like.
 */
export function unstorableFaults(inventory: DeviceInventory): readonly string[] {
  const { hardware = {}, network = [], software = [], ...scalars } = inventory.fields;
  const named: readonly (readonly [string, object])[] = [
    ['', { deviceid: inventory.inventoryId, ...scalars }],
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

/** What devices and software are found or put in order by. */
const KEYS: ReadonlySet<string> = new Set([
  ...['deviceid', 'hostname', 'serialNumber', 'ipAddress', 'publicIp', 'macAddress', 'name'],
]);

const MAX_FAULTS = 20;
