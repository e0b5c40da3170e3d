/** Reads a load file that is one object with an array for each kind (Contract: §9, "The load file"). */
import type { FaultList } from '#adapters/load/fault-list.ts';
import { readRecord } from '#adapters/load/records/read-record.ts';
import { KIND_OF_COLLECTION, type RecordKind } from '#adapters/load/records/record-kinds.ts';
import { isObject, listFault, unknownMemberFault } from '#adapters/load/records/value-faults.ts';
import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { ByteWindow } from './byte-window.ts';
import { JsonCursor } from './json-cursor.ts';
import { endAtSyntaxFault, NOT_JSON, parseJson } from './json-text.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './value-scanner.ts';

/**
 * After the first fault, records are checked but no longer yielded. Elements are read with `JSON.parse`,
 * which takes a tenth of the time of building them from tokens.
 */
export async function* readDocument(window: ByteWindow, faults: FaultList): AsyncGenerator<LocatedRecord> {
  const cursor = new JsonCursor(window);
  const seen = new Set<string>();
  await takeOpening(cursor, faults);
  for (let isFirst = true; await hasNext(cursor, CLOSE_BRACE, isFirst, faults); isFirst = false) {
    const { line } = cursor;
    const collection = await takeMemberName(cursor, faults);
    const kind = KIND_OF_COLLECTION.get(collection) ?? null;
    if (kind === null) faults.add({ line, member: collection, message: unknownCollectionFault(collection) });
    else if (seen.has(collection)) faults.add({ line, member: collection, message: 'appears twice' });
    seen.add(collection);
    if ((await cursor.peek()) !== OPEN_BRACKET) {
      await takeOtherValue(cursor, collection, faults);
      continue;
    }
    cursor.take();
    for (let index = 0; await hasNext(cursor, CLOSE_BRACKET, index === 0, faults); index++) {
      const element = await cursor.takeValue();
      if (element === null) return endEarly(cursor, faults);
      if (kind === null) continue;
      const place = { line: element.line, member: `${collection}[${index}]` };
      const value = parseJson(element.text);
      if (value === NOT_JSON) return endAtSyntaxFault(element.text, place, faults);
      const record = readRecord(kind, withKind(value, kind), place, faults);
      if (record !== null && faults.isEmpty) yield { record, ...place };
    }
  }
  if ((await cursor.peek()) !== -1) endAt(cursor, faults, 'continues after the end of the document');
}

/** Members of an inventory, which must be imported instead of loaded. */
const MEMBERS_OF_INVENTORY = ['deviceid', 'content'];

function unknownCollectionFault(name: string): string {
  return MEMBERS_OF_INVENTORY.includes(name)
    ? 'is not a known member; this looks like an inventory, so use import instead of load'
    : unknownMemberFault(name, KIND_OF_COLLECTION.keys());
}

async function takeOpening(cursor: JsonCursor, faults: FaultList): Promise<void> {
  const first = await cursor.peek();
  if (first === -1) endAt(cursor, faults, 'is empty');
  if (first !== OPEN_BRACE) {
    endAt(cursor, faults, 'must be one JSON object, or NDJSON with one JSON object per line');
  }
  cursor.take();
}

async function hasNext(
  cursor: JsonCursor,
  closing: number,
  isFirst: boolean,
  faults: FaultList,
): Promise<boolean> {
  const next = await cursor.peek();
  if (next === -1) endEarly(cursor, faults);
  if (next === closing) {
    cursor.take();
    return false;
  }
  if (!isFirst) {
    if (next !== COMMA) {
      endAt(cursor, faults, `is not valid JSON: expected "," or "${String.fromCharCode(closing)}"`);
    }
    cursor.take();
    await cursor.peek();
  }
  return true;
}

async function takeMemberName(cursor: JsonCursor, faults: FaultList): Promise<string> {
  if ((await cursor.peek()) !== QUOTE)
    endAt(cursor, faults, 'is not valid JSON: expected the name of a member');
  const quoted = await cursor.takeValue();
  if (quoted === null) return endEarly(cursor, faults);
  const name = parseJson(quoted.text);
  if (typeof name !== 'string') {
    return endAtSyntaxFault(quoted.text, { line: quoted.line, member: 'file' }, faults);
  }
  if ((await cursor.peek()) !== COLON) endAt(cursor, faults, 'is not valid JSON: expected ":"');
  cursor.take();
  return name;
}

/** Takes a value that is not a list. For a known collection, only null is allowed and counts as absent. */
async function takeOtherValue(cursor: JsonCursor, member: string, faults: FaultList): Promise<void> {
  const taken = await cursor.takeValue();
  if (taken === null) return endEarly(cursor, faults);
  const value = parseJson(taken.text);
  if (value === NOT_JSON) await endAtSyntaxFault(taken.text, { line: taken.line, member }, faults);
  const fault = value === null || !KIND_OF_COLLECTION.has(member) ? null : listFault(value);
  if (fault !== null) faults.add({ line: taken.line, member, message: fault });
}

function withKind(value: unknown, kind: RecordKind): unknown {
  return isObject(value) && !Object.hasOwn(value, 'kind') ? Object.assign(value, { kind }) : value;
}

function endEarly(cursor: JsonCursor, faults: FaultList): never {
  return endAt(cursor, faults, 'ends before the document is complete');
}

function endAt(cursor: JsonCursor, faults: FaultList, message: string): never {
  return faults.end({ line: cursor.line, member: 'file', message });
}
