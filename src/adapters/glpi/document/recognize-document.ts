/**
 * Detects files that are not inventories and says what is wrong. Validation against the schema would only list faults.
 */

import { isMobileSystem } from '#adapters/glpi/fields/operating-system.ts';
import { firstText } from '#adapters/glpi/fields/texts.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import { unindexableReason, unstorableReason } from '#domain/text/storable-text.ts';
import { type InventoryDocument, ITEM_TYPES, type ItemType } from './inventory-document.ts';

export function refusalOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'is not an inventory: it must be one JSON object';
  }
  const document: Readonly<Record<string, unknown>> = { ...value };
  if (isLoadFile(document)) return IS_LOAD_FILE;
  const { action, itemtype } = document;
  if (typeof action === 'string' && !ACTIONS.includes(action)) {
    return `is not an inventory: its action is "${action}"; supported are ${ACTIONS.join(', ')}`;
  }
  const missing = ['deviceid', 'content'].filter((name) => !Object.hasOwn(document, name));
  if (missing.length > 0) return `is not an inventory: it has no ${missing.join(' and no ')}`;
  if (typeof document.deviceid === 'string' && firstText(document.deviceid) === null) {
    return 'is not an inventory: its deviceid is empty';
  }
  if (typeof itemtype === 'string' && !(ITEM_TYPES as readonly string[]).includes(itemtype)) {
    return `has the unsupported itemtype "${itemtype}"; supported are ${ITEM_TYPES.join(', ')}`;
  }
  return null;
}

export function syntaxRefusalOf(text: string, error: unknown): string {
  const start = text.trimStart();
  if (start === '') return 'is empty';
  if (start.startsWith('<')) return 'is XML; only inventories in JSON are supported';
  if (isNdjson(start)) return IS_LOAD_FILE;
  const reason = error instanceof Error ? error.message : '';
  if (CUT_OFF.test(reason) || reason.includes(`at position ${text.length} `)) {
    return 'is truncated: the JSON ends before it is complete';
  }
  // If V8 gives no position, its message quotes the document, which may contain private data.
  const [place] = /line \d+ column \d+/.exec(reason) ?? [];
  return place === undefined ? 'is not JSON' : `is not JSON (${place})`;
}

const IS_LOAD_FILE = 'is a load file, not an inventory; use load instead of import';

const ACTIONS: readonly string[] = ['inventory', 'netinventory', 'injector'];

const CUT_OFF = /unexpected end|unterminated string/i;

const COLLECTIONS = [
  'partners',
  'organizations',
  'sites',
  'users',
  'devices',
  'scripts',
  'alerts',
  'filters',
];

function isLoadFile(document: Readonly<Record<string, unknown>>): boolean {
  if (Object.hasOwn(document, 'content')) return false;
  return typeof document.kind === 'string' || COLLECTIONS.some((name) => Array.isArray(document[name]));
}

function isNdjson(text: string): boolean {
  const [line = ''] = text.split('\n', 1);
  try {
    return isLoadFile({ ...JSON.parse(line) });
  } catch {
    return false;
  }
}

export function itemTypeOf({ itemtype, content }: InventoryDocument): ItemType {
  const stated = ITEM_TYPES.find((type) => type === itemtype);
  if (stated !== undefined) return stated;
  switch (content.network_device?.type) {
    case 'Networking':
      return 'NetworkEquipment';
    case 'Printer':
      return 'Printer';
    case 'Phone':
      return 'Phone';
    default:
      return isMobileSystem(content.operatingsystem) ? 'Phone' : 'Computer';
  }
}

// An inventory is held in memory, and each address becomes a database row, so oversized lists are refused
// before they are read.

/** Limits by path. Lists with the same path count together. Other lists may have `MAX_ENTRIES`. */
const LIMITS: Readonly<Record<string, number>> = {
  'content.softwares': 20_000,
  'content.networks': 1_000,
  'content.network_device.ips': 1_000,
  'content.network_ports[].ips': 1_000,
  'content.drives': 1_000,
};

const MAX_ENTRIES = 20_000;

/** The schema nests lists no deeper than this. */
const MAX_DEPTH = 8;

export function oversizedLists({ content }: { readonly content?: unknown }): readonly string[] {
  const lengths = new Map<string, number>();
  addLengths(content, 'content', MAX_DEPTH, lengths);
  const faults = [...lengths].flatMap(([path, length]) => {
    const limit = LIMITS[path] ?? MAX_ENTRIES;
    if (length <= limit) return [];
    const [counted, most] = [length, limit].map((count) => count.toLocaleString('en-US'));
    return [`${path} must have at most ${most} entries; it has ${counted}`];
  });
  return faults.slice(0, MAX_FAULTS);
}

function addLengths(value: unknown, path: string, depth: number, lengths: Map<string, number>): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  if (!Array.isArray(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'object') addLengths(member, `${path}.${name}`, depth - 1, lengths);
    }
    return;
  }
  const length = (lengths.get(path) ?? 0) + value.length;
  lengths.set(path, length);
  if (length > (LIMITS[path] ?? MAX_ENTRIES)) return;
  const pathOfElement = `${path}[]`;
  for (const element of value) addLengths(element, pathOfElement, depth - 1, lengths);
}

/**
 * Returns at most 20 faults. Texts that cannot be stored are refused, because a repair would be a guess.
 * Texts that Fleetsift does not use may contain anything.
 */
export function unstorableFaults(inventory: DeviceInventory): readonly string[] {
  const { hardware = {}, network = [], volumes = [], software = [], ...scalars } = inventory.fields;
  const { inventoryId: deviceid, identity } = inventory;
  const named: readonly (readonly [string, object])[] = [
    ['', { deviceid, systemUuid: identity.systemUuid, ...scalars }],
    ['hardware.', hardware],
    ...network.map((item, i) => [`network[${i}].`, item] as const),
    ...volumes.map((item, i) => [`volumes[${i}].`, item] as const),
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

const KEYS: ReadonlySet<string> = new Set([
  ...['deviceid', 'systemUuid', 'hostname', 'serialNumber', 'ipAddress', 'publicIp', 'macAddress'],
]);

const MAX_FAULTS = 20;
