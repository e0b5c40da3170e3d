/** Agents greet with an XML prolog or with a contact (Contract: §13). */

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { syntaxRefusalOf } from '#adapters/glpi/document/recognize-document.ts';
import type { DocumentRefusal } from '#application/ports/fleet/message-reader.ts';
import type { AgentMessage } from '#domain/inventory/device-inventory.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { isBlank, unindexableReason } from '#domain/text/storable-text.ts';

// The number of members is limited, because JSON of many tiny values takes thirty times its size in memory. If a thread
// runs out of memory, Node 26 ends the whole process, despite `resourceLimits`.

/** An inventory with 3,000 programs has some 40,000 members. */
const MAX_MEMBERS = 500_000;

/** Counts separators, even those inside texts, so the count is an upper bound. */
function hasTooManyMembers(bytes: Uint8Array): boolean {
  if (bytes.byteLength <= MAX_MEMBERS) return false;
  let count = 0;
  for (const byte of bytes) if (byte === COMMA || byte === BRACKET || byte === BRACE) count++;
  return count > MAX_MEMBERS;
}

const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Tasks are limited, because the answer repeats them. */
const MAX_TASKS = 100;
const MAX_TASK_LENGTH = 100;

function readContact(message: object): Result<AgentMessage, readonly string[]> {
  const {
    deviceid,
    'installed-tasks': installed = [],
    'enabled-tasks': enabled = [],
  } = message as Readonly<Record<string, unknown>>;
  const faults = [
    deviceIdFault(deviceid),
    taskFault('installed-tasks', installed),
    taskFault('enabled-tasks', enabled),
  ].filter((fault) => fault !== null);
  if (faults.length > 0) return err(faults);
  const tasks = [...(installed as readonly string[]), ...(enabled as readonly string[])];
  const names = new Set(tasks.map((task) => task.toLowerCase()));
  return ok({ kind: 'contact', inventoryId: deviceid as string, tasks: [...names] });
}

function deviceIdFault(value: unknown): string | null {
  if (typeof value !== 'string' || isBlank(value)) return 'deviceid must be a text that is not empty';
  const reason = unindexableReason(value);
  return reason === null ? null : `deviceid ${reason}`;
}

function taskFault(name: string, value: unknown): string | null {
  const isList =
    Array.isArray(value) &&
    value.length <= MAX_TASKS &&
    value.every((task) => typeof task === 'string' && task.length <= MAX_TASK_LENGTH);
  return isList ? null : `${name} must be a list of at most ${MAX_TASKS} names of tasks`;
}

// Agents that do not know the protocol first send a `<REQUEST>` with the query `PROLOG`. Nothing else is read from XML,
// and entities are never resolved.

/** In UTF-16 code units. Agents send some 200. */
const MAX_LENGTH = 16_384;

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  processEntities: false,
  maxNestedTags: 10,
});

function readProlog(text: string): Result<AgentMessage, readonly string[]> {
  if (text.length > MAX_LENGTH) return err([`is XML; ${ONLY_JSON}`]);
  if (/<!(?!--)/.test(text)) return err(['is XML with a document type or CDATA, which is never read']);
  const request = parseRequest(text);
  if (request === null) return err(['is not well-formed XML with one <REQUEST>']);
  const { QUERY: query, DEVICEID: inventoryId } = request;
  if (typeof query !== 'string') return err(['is XML without a <QUERY>']);
  if (query !== 'PROLOG') return err([`is XML with the query "${query.slice(0, 40)}"; ${ONLY_JSON}`]);
  const fault = deviceIdFault(inventoryId);
  return fault === null ? ok({ kind: 'prolog', inventoryId: inventoryId as string }) : err([fault]);
}

const ONLY_JSON = 'only PROLOG is read as XML, and inventories in JSON (GLPI Agent 1.0 and later)';

function parseRequest(text: string): Readonly<Record<string, unknown>> | null {
  try {
    if (XMLValidator.validate(text) !== true) return null;
    const { REQUEST: request } = parser.parse(text);
    return typeof request === 'object' && request !== null && !Array.isArray(request) ? request : null;
  } catch {
    return null;
  }
}

export type Reading = Result<AgentMessage, Exclude<DocumentRefusal, { kind: 'too-large' }>>;

type Greeting =
  | { readonly kind: 'read'; readonly reading: Reading }
  | { readonly kind: 'other'; readonly value: unknown };

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
