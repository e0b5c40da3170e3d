/**
 * Reads greetings of agents where they arrive, and inventories in a thread beside the event loop. Their schema is
 * loaded and made ready in there, too.
 */
import type { MessageReader } from '#application/ports/fleet/message-reader.ts';
import { err } from '#domain/result.ts';
import { inflate } from './inflate.ts';
import { type Reading, readGreeting } from './read-greeting.ts';
import { makeReadingThread, type ReadInThread } from './reading-thread.ts';

/** The longest document that is looked at on the event loop, in bytes: a millisecond. */
const SHORT_BYTES = 16_384;

/** One thread for all readers of this process. */
let readInThread: ReadInThread | undefined;

export const readDocument: MessageReader = async (document) => {
  const inflated = await inflate(document);
  if (!inflated.ok) {
    if (inflated.error === 'too-large') return err({ kind: 'too-large' });
    return err({ kind: 'faulty', faults: [`is not ${document.coding}, or not all of it`] });
  }
  // A document that was not inflated is still the caller's.
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

/** With a buffer of its own, which can be handed over; small buffers share one. */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
