/** Reads greetings on the event loop, and inventories in a thread, which also loads and compiles their schema. */
import type { MessageReader } from '#application/ports/fleet/message-reader.ts';
import { err } from '#domain/result.ts';
import { inflate } from './inflate.ts';
import { type Reading, readGreeting } from './read-greeting.ts';
import { makeReadingThread, type ReadInThread } from './reading-thread.ts';

/** Longest document for the event loop, in bytes: a millisecond. */
const SHORT_BYTES = 16_384;

/** Shared by all readers of the process. */
let readInThread: ReadInThread | undefined;

export const readDocument: MessageReader = async (document) => {
  const inflated = await inflate(document);
  if (!inflated.ok) {
    if (inflated.error === 'too-large') return err({ kind: 'too-large' });
    return err({ kind: 'faulty', faults: [`is not ${document.coding}, or not all of it`] });
  }
  // A document that was not inflated belongs to the caller.
  const bytes = inflated.value === document.bytes ? new Uint8Array(document.bytes) : own(inflated.value);
  return readWhereItFits(bytes);
};

async function readWhereItFits(bytes: Uint8Array<ArrayBuffer>): Promise<Reading> {
  if (bytes.byteLength <= SHORT_BYTES) {
    const greeting = readGreeting(bytes);
    if (greeting.kind === 'read') return greeting.reading;
  }
  readInThread ??= makeReadingThread();
  return readInThread(bytes);
}

/** Copies unless the bytes own their buffer, because small buffers share one and cannot be transferred. */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
