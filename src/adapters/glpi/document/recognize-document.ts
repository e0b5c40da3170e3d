/** Recognizes other files before the schema is applied, which would only list faults. */
import { firstText } from '#adapters/glpi/fields/first-text.ts';
import { ITEM_TYPES } from './inventory-document.ts';

/** Why a JSON value is no supported inventory; null if it may be one. */
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

/** Why a text is not JSON. `error` comes from `JSON.parse`. */
export function syntaxRefusalOf(text: string, error: unknown): string {
  const start = text.trimStart();
  if (start === '') return 'is empty';
  if (start.startsWith('<')) return 'is XML; only inventories in JSON are supported';
  if (isNdjson(start)) return IS_LOAD_FILE;
  const reason = error instanceof Error ? error.message : '';
  if (CUT_OFF.test(reason) || reason.includes(`at position ${text.length} `)) {
    return 'is truncated: the JSON ends before it is complete';
  }
  // V8 quotes the text around a fault when it gives no position.
  const [place] = /line \d+ column \d+/.exec(reason) ?? [];
  return place === undefined ? 'is not JSON' : `is not JSON (${place})`;
}

const IS_LOAD_FILE = 'is a load file, not an inventory; use load instead of import';

/** Other requests (contact, prolog) carry no inventory, or only an address. */
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
