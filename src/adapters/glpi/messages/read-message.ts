/** Contract: §13. */
import { readInventoryValue } from '#adapters/glpi/read-inventory.ts';
import { ok } from '#domain/result.ts';
import { type Reading, readGreeting, toReading } from './read-greeting.ts';

export function readMessage(bytes: Uint8Array): Reading {
  const greeting = readGreeting(bytes);
  if (greeting.kind === 'read') return greeting.reading;
  const inventory = readInventoryValue(greeting.value, { isBrief: bytes.byteLength > LONG_BYTES });
  return toReading(inventory.ok ? ok({ kind: 'inventory', inventory: inventory.value }) : inventory);
}

/**
 * Longer inventories are rare. Only their first fault is reported, because listing all could take a hundred times the
 * memory.
 */
const LONG_BYTES = 1_048_576;
