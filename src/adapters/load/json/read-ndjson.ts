/** Reads a load file with one record per line, each with its `kind` (Contract: §9, "The load file"). */
import type { FaultList } from '#adapters/load/fault-list.ts';
import { readRecord } from '#adapters/load/records/read-record.ts';
import { isRecordKind, RECORD_KINDS } from '#adapters/load/records/record-kinds.ts';
import { IS_REQUIRED, isObject, objectFault, wordFault } from '#adapters/load/records/value-faults.ts';
import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import type { ByteWindow } from './byte-window.ts';
import { endAtSyntaxFault, NOT_JSON, parseJson } from './json-text.ts';
import { NEWLINE } from './value-scanner.ts';

/** After the first fault, records are checked but no longer yielded. Skips blank lines. */
export async function* readNdjson(window: ByteWindow, faults: FaultList): AsyncGenerator<LocatedRecord> {
  for (let line = await takeLine(window); line !== null; line = await takeLine(window)) {
    if (line.text.trim() === '') continue;
    const value = parseJson(line.text);
    if (value === NOT_JSON)
      return endAtSyntaxFault(line.text, { line: line.number, member: 'record' }, faults);
    const located = readLine(value, line.number, faults);
    if (located !== null && faults.isEmpty) yield located;
  }
}

interface Line {
  readonly text: string;
  readonly number: number;
}

async function takeLine(window: ByteWindow): Promise<Line | null> {
  let end = window.bytes.indexOf(NEWLINE, window.at);
  while (end === -1) {
    const searched = window.bytes.length - window.at;
    if (!(await window.more())) return takeLastLine(window);
    end = window.bytes.indexOf(NEWLINE, window.at + searched);
  }
  const line = { text: window.bytes.toString('utf8', window.at, end), number: window.line };
  window.advance(end + 1, 1);
  return line;
}

function takeLastLine(window: ByteWindow): Line | null {
  const { bytes, at, line } = window;
  if (at === bytes.length) return null;
  window.advance(bytes.length, 0);
  return { text: bytes.toString('utf8', at), number: line };
}

function readLine(value: unknown, line: number, faults: FaultList): LocatedRecord | null {
  if (!isObject(value)) {
    faults.add({ line, member: 'record', message: objectFault(value) ?? '' });
    return null;
  }
  const { kind } = value;
  if (!isRecordKind(kind)) {
    const message = kind === undefined ? IS_REQUIRED : (wordFault(kind, RECORD_KINDS) ?? '');
    faults.add({ line, member: 'record.kind', message });
    return null;
  }
  const record = readRecord(kind, value, { line, member: kind }, faults);
  return record === null ? null : { record, line, member: kind };
}
