/** The name may be `/dev/stdin`, so the content tells the two forms apart (Contract: §9). */
import { KIND_OF_COLLECTION } from '#adapters/load/records/record-kinds.ts';
import { type ByteWindow, MAX_RECORD_BYTES } from './byte-window.ts';
import { JsonCursor } from './json-cursor.ts';
import { CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, QUOTE } from './value-scanner.ts';

export type LoadFileFormat = 'document' | 'ndjson';

/**
 * NDJSON begins with an object that has a `kind` or is followed by another object. Anything else is read as a
 * document, whose reader reports the faults.
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
