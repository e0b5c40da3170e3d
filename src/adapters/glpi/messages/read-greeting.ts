/** Reads an agent's first messages: the XML prolog, or its contact (Contract: §13). */
import { syntaxRefusalOf } from '#adapters/glpi/document/recognize-document.ts';
import type { DocumentRefusal } from '#application/ports/fleet/message-reader.ts';
import type { AgentMessage } from '#domain/inventory/agent-message.ts';
import { err, type Result } from '#domain/result.ts';
import { hasTooManyMembers, MAX_MEMBERS } from './count-members.ts';
import { readContact } from './read-contact.ts';
import { readProlog } from './read-prolog.ts';

export type Reading = Result<AgentMessage, Exclude<DocumentRefusal, { kind: 'too-large' }>>;

export type Greeting =
  | { readonly kind: 'read'; readonly reading: Reading }
  /** Any other JSON. */
  | { readonly kind: 'other'; readonly value: unknown };

/** Skips a leading byte order mark. */
export function readGreeting(bytes: Uint8Array): Greeting {
  if (hasTooManyMembers(bytes)) {
    return refuse(`has more than ${MAX_MEMBERS.toLocaleString('en-US')} members; no inventory has`);
  }
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch {
    return refuse('is not UTF-8 text');
  }
  if (/^\s*</.test(text)) return { kind: 'read', reading: toReading(readProlog(text)) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'read', reading: err({ kind: 'no-json', fault: syntaxRefusalOf(text, error) }) };
  }
  return isContact(value)
    ? { kind: 'read', reading: toReading(readContact(value)) }
    : { kind: 'other', value };
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

export function toReading(read: Result<AgentMessage, readonly string[]>): Reading {
  return read.ok ? read : err({ kind: 'faulty', faults: read.error });
}

function refuse(fault: string): Greeting {
  return { kind: 'read', reading: toReading(err([fault])) };
}

function isContact(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'action' in value && value.action === 'contact';
}
