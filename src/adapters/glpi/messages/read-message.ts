/** Reads one document of an agent: its first word in XML, or a message in JSON (Contract: §13). */
import { syntaxRefusalOf } from '#adapters/glpi/document/recognize-document.ts';
import { readInventoryValue } from '#adapters/glpi/read-inventory.ts';
import type { AgentMessage } from '#domain/inventory/agent-message.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { hasTooManyMembers, MAX_MEMBERS } from './count-members.ts';
import { readContact } from './read-contact.ts';
import { readProlog } from './read-prolog.ts';

/** The message, or every fault that was found, at least one, as `DocumentRefusal` has them. */
export type Reading = Result<AgentMessage, readonly string[]>;

/** A leading byte order mark is skipped. */
export function readMessage(bytes: Uint8Array): Reading {
  const parsed = parse(bytes);
  return parsed.kind === 'read' ? parsed.reading : readParsed(parsed.value, bytes.byteLength);
}

/**
 * The same for whatever takes no time to read; null for what may be an inventory, whose schema takes a tenth of a
 * second to be made ready.
 */
export function readGreeting(bytes: Uint8Array): Reading | null {
  const parsed = parse(bytes);
  if (parsed.kind === 'read') return parsed.reading;
  return isContact(parsed.value) ? readContact(parsed.value) : null;
}

type Parsed =
  | { readonly kind: 'read'; readonly reading: Reading }
  | { readonly kind: 'json'; readonly value: unknown };

function parse(bytes: Uint8Array): Parsed {
  if (hasTooManyMembers(bytes)) {
    const most = MAX_MEMBERS.toLocaleString('en-US');
    return { kind: 'read', reading: err([`has more than ${most} members; no inventory has`]) };
  }
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch {
    return { kind: 'read', reading: err(['is not UTF-8 text']) };
  }
  if (/^\s*</.test(text)) return { kind: 'read', reading: readProlog(text) };
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch (error) {
    return { kind: 'read', reading: err([syntaxRefusalOf(text, error)]) };
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function readParsed(value: unknown, length: number): Reading {
  if (isContact(value)) return readContact(value);
  const inventory = readInventoryValue(value, { isBrief: length > LONG_BYTES });
  return inventory.ok ? ok({ kind: 'inventory', inventory: inventory.value }) : inventory;
}

function isContact(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'action' in value && value.action === 'contact';
}

/** Hardly an inventory is longer; to list every fault of one could take a hundred times its memory. */
const LONG_BYTES = 1_048_576;
