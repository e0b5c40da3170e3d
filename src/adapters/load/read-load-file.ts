/** Contract: §9, "The load file". */
import { createReadStream } from 'node:fs';
import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import { FaultList } from './fault-list.ts';
import { ByteWindow, MAX_RECORD_BYTES } from './json/byte-window.ts';
import { JsonCursor } from './json/json-cursor.ts';
import { readDocument } from './json/read-document.ts';
import { readNdjson } from './json/read-ndjson.ts';
import { CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, QUOTE } from './json/value-scanner.ts';
import { KIND_OF_COLLECTION } from './records/record-kinds.ts';

/**
 * Yields the records before the first fault. `source` is a path, which may be a pipe, or the bytes. At the
 * end, throws a LoadFileError with all faults (at most 100); invalid JSON ends the reading at once. Memory
 * holds no more than the longest record.
 */
export async function* readLoadFile(
  source: string | AsyncIterable<Buffer>,
): AsyncGenerator<LocatedRecord, void, undefined> {
  const faults = new FaultList();
  const window = new ByteWindow(typeof source === 'string' ? readChunks(source, faults) : source, faults);
  try {
    await skipByteOrderMark(window);
    const format = await detectFormat(window);
    yield* format === 'ndjson' ? readNdjson(window, faults) : readDocument(window, faults);
  } finally {
    await window.close();
  }
  faults.throwIfAny();
}

async function* readChunks(path: string, faults: FaultList): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = REASON_OF_CODE.get(code);
    if (reason === undefined) throw error;
    faults.end({ line: 1, member: 'file', message: `cannot be read: ${reason}` });
  }
}

const REASON_OF_CODE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'],
  ['ENOTDIR', 'no such file'],
  ['EISDIR', 'it is a directory'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
]);

/** Larger chunks are not faster and do not fit into the CPU cache. */
const CHUNK_BYTES = 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

async function skipByteOrderMark(window: ByteWindow): Promise<void> {
  while (window.bytes.length < BYTE_ORDER_MARK.length && (await window.more()));
  if (window.bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    window.advance(BYTE_ORDER_MARK.length, 0);
  }
}

type LoadFileFormat = 'document' | 'ndjson';

/**
 * Decides by the content, because the name may be `/dev/stdin`. NDJSON begins with an object that has a `kind` or is
 * followed by another object. Anything else is a document, whose reader reports the faults.
 */
export async function detectFormat(window: ByteWindow): Promise<LoadFileFormat> {
  window.hold();
  const format = await lookAtFirstObject(new JsonCursor(window));
  window.rewind();
  return format;
}

async function lookAtFirstObject(cursor: JsonCursor): Promise<LoadFileFormat> {
  if ((await cursor.peek()) !== OPEN_BRACE) return 'document';
  cursor.take();
  while ((await cursor.peek()) === QUOTE) {
    const name = await cursor.takeValue();
    if (name?.text === '"kind"') return 'ndjson';
    if (name === null || KIND_OF_COLLECTION.has(name.text.slice(1, -1))) return 'document';
    if ((await cursor.peek()) !== COLON) return 'document';
    cursor.take();
    await cursor.peek();
    if (!(await cursor.skipValue(MAX_RECORD_BYTES))) return 'document';
    if ((await cursor.peek()) === COMMA) cursor.take();
  }
  if ((await cursor.peek()) !== CLOSE_BRACE) return 'document';
  cursor.take();
  return (await cursor.peek()) === OPEN_BRACE ? 'ndjson' : 'document';
}
