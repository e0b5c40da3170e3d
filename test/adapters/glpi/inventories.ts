/** Real inventories of glpi-project/inventory_format, and made-up ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readInventory } from '#adapters/glpi/read-inventory.ts';
import type { DeviceInventory, InventoriedFields } from '#domain/inventory/device-inventory.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/glpi');

export function realText(name: string): string {
  return readFileSync(join(FIXTURES, `${name}.json`), 'utf8');
}

export function readTaken(text: string): DeviceInventory {
  const inventory = readInventory(text);
  if (!inventory.ok) expect.fail(inventory.error.join('\n'));
  return inventory.value;
}

/** The faults of a refused text. */
export function readRefused(text: string): readonly string[] {
  const inventory = readInventory(text);
  if (inventory.ok) expect.fail('the inventory was taken');
  return inventory.error;
}

/** An inventory as text. */
export function inventoryText(content: object, header: object = {}): string {
  return JSON.stringify({ deviceid: 'device-1', content: { versionclient: 'agent', ...content }, ...header });
}

export function fieldsOf(content: object, header: object = {}): InventoriedFields {
  const inventory = readTaken(inventoryText(content, header));
  if (inventory.kind !== 'full') expect.fail('the inventory is partial');
  return inventory.fields;
}
