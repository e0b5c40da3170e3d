/** Tells an inventory from what people give in its place, before its schema is asked: that would only list faults. */
import { firstText } from '#adapters/glpi/fields/first-text.ts';
import { ITEM_TYPES } from './inventory-document.ts';

/** Why a JSON value is no inventory that is taken, or null where it may be one. */
export function refusalOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'is not an inventory: it must be one JSON object';
  }
  const document: Readonly<Record<string, unknown>> = { ...value };
  if (isLoadFile(document)) return 'is a load file, not an inventory: give it to load';
  const { action, itemtype } = document;
  if (typeof action === 'string' && !ACTIONS.includes(action)) {
    return `is not an inventory: its action is "${action}", taken are ${ACTIONS.join(', ')}`;
  }
  const missing = ['deviceid', 'content'].filter((name) => !Object.hasOwn(document, name));
  if (missing.length > 0) return `is not an inventory: it has no ${missing.join(' and no ')}`;
  if (typeof document.deviceid === 'string' && firstText(document.deviceid) === null) {
    return 'is not an inventory: its deviceid is empty';
  }
  if (typeof itemtype === 'string' && !(ITEM_TYPES as readonly string[]).includes(itemtype)) {
    return `is of itemtype "${itemtype}", which is not taken: taken are ${ITEM_TYPES.join(', ')}`;
  }
  return null;
}

/** Why a text is not even JSON. */
export function syntaxRefusalOf(text: string, error: unknown): string {
  const start = text.trimStart();
  if (start === '') return 'is empty';
  if (start.startsWith('<')) return 'is XML; the inventory format is taken as JSON alone';
  if (isNdjson(start)) return 'is a load file, not an inventory: give it to load';
  const reason = error instanceof Error ? error.message : '';
  if (CUT_OFF.test(reason) || reason.includes(`at position ${text.length} `)) {
    return 'is cut off: the JSON ends before it is complete';
  }
  // V8 quotes the text around a fault where it does not give its position.
  const [place] = /line \d+ column \d+/.exec(reason) ?? [];
  return place === undefined ? 'is not JSON' : `is not JSON (${place})`;
}

/** Requests of agents that carry no inventory (contact, prolog) or no more than a device's address are not taken. */
const ACTIONS: readonly string[] = ['inventory', 'netinventory', 'injector'];

const CUT_OFF = /unexpected end|unterminated string/i;

/** The members of a load file that is one document, and of the lines of one that is NDJSON. */
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
