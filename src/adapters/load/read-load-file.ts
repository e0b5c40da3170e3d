/** The load file: a whole fleet as JSON or NDJSON (Contract: §9, "The load file"). */
import { createReadStream } from 'node:fs';
import type { LocatedRecord } from '#application/ports/fleet/fleet-writer.ts';
import { FaultList } from './fault-list.ts';
import { ByteWindow } from './json/byte-window.ts';
import { detectFormat } from './json/detect-format.ts';
import { readDocument } from './json/read-document.ts';
import { readNdjson } from './json/read-ndjson.ts';

/**
 * The checked records of the file at `path`, in its order, in memory bounded by its longest record; a pipe will do
 * as well as a file.
 *
 * Throws a LoadFileError with what is wrong with the file: the faults of all its records (at most 100), up to where
 * it can no longer be read as JSON. From the first fault on no record is given, but those before it were.
 */
export async function* readLoadFile(path: string): AsyncGenerator<LocatedRecord, void, undefined> {
  const faults = new FaultList();
  const window = new ByteWindow(readChunks(path, faults), faults);
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

/** What a person can have done wrong; all else is thrown as the system gave it. */
const REASON_OF_CODE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EISDIR', 'it is a directory'],
  ['EACCES', 'permission is denied'],
  ['EPERM', 'permission is denied'],
]);

/** Large enough that the work a chunk does not matter, small enough that several fit in a processor's cache. */
const CHUNK_BYTES = 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

async function skipByteOrderMark(window: ByteWindow): Promise<void> {
  while (window.bytes.length < BYTE_ORDER_MARK.length && (await window.more()));
  if (window.bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    window.advance(BYTE_ORDER_MARK.length, 0);
  }
}
