/** Greetings are read on the event loop, inventories in a thread, which also compiles their schema. */

import { Worker } from 'node:worker_threads';
import { createGunzip, createInflate } from 'node:zlib';
import { FairShare } from '#application/admission/fair-share.ts';
import {
  type CodedDocument,
  MAX_DOCUMENT_BYTES,
  type MessageReader,
} from '#application/ports/fleet/message-reader.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type Reading, readGreeting, toReading } from './read-greeting.ts';

export type InflateRefusal = 'too-large' | 'broken';

const CHUNK_BYTES = 65_536;

/** Inflates off the event loop, with bounded memory. `broken` means truncated or not of this coding. */
export async function inflate({ bytes, coding }: CodedDocument): Promise<Result<Uint8Array, InflateRefusal>> {
  if (coding === 'plain') return bytes.byteLength > MAX_DOCUMENT_BYTES ? err('too-large') : ok(bytes);
  const stream = (coding === 'zlib' ? createInflate : createGunzip)({ chunkSize: CHUNK_BYTES });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    stream.end(bytes);
    // Returning from the loop destroys the stream.
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > MAX_DOCUMENT_BYTES) return err('too-large');
      chunks.push(chunk);
    }
  } catch {
    return err('broken');
  }
  return ok(Buffer.concat(chunks, size));
}

/** Generous: a document of 32 MiB takes one or two seconds. */
const MAX_READING_MS = 20_000;

/**
 * Takes ownership of the bytes. Never rejects. Documents are read one by one, and tenants take turns. A document that
 * takes too long is refused.
 */
export type ReadInThread = (bytes: Uint8Array<ArrayBuffer>, tenant: string) => Promise<Reading>;

/** The queue needs no limit, because admission bounds the number of documents. */
const ONE_BY_ONE = {
  total: 1,
  perTenant: 1,
  perCaller: 1,
  maxWaitingPerCaller: Number.POSITIVE_INFINITY,
  maxWaitingPerTenant: Number.POSITIVE_INFINITY,
  maxWaitMs: 120_000,
};

/** The thread starts with the first document. An idle thread does not keep the process alive. */
export function makeReadingThread(maxReadingMs = MAX_READING_MS): ReadInThread {
  const share = new FairShare(ONE_BY_ONE);
  let worker: Worker | null = null;

  async function readNext(bytes: Uint8Array<ArrayBuffer>): Promise<Reading> {
    const { promise, resolve } = Promise.withResolvers<Reading>();
    const thread = worker ?? startThread();
    worker = thread;
    const giveUp = () => {
      worker = null;
      void thread.terminate();
      resolve(toReading(err(['is too complex to be read'])));
    };
    const timer = setTimeout(giveUp, maxReadingMs);
    thread.once('message', resolve).once('error', giveUp);
    thread.ref();
    thread.postMessage(bytes, [bytes.buffer]);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      thread.off('message', resolve).off('error', giveUp).unref();
    }
  }

  return async (bytes, tenant) => {
    const turn = await share.claim({ tenant, caller: tenant }, 1);
    if (turn.kind !== 'granted') return toReading(err(['had to wait too long to be read; send it again']));
    return readNext(bytes).finally(turn.release);
  };
}

function startThread(): Worker {
  // The embedder's options could break the thread, such as the `--input-type` of a process started with `--eval`.
  const thread = new Worker(new URL('./reading-worker.ts', import.meta.url), { execArgv: [] });
  return thread.on('error', () => undefined);
}

/** Documents up to this length parse in a millisecond, so the event loop tries them as greetings. */
const SHORT_BYTES = 16_384;

let readInThread: ReadInThread | undefined;

export const readDocument: MessageReader = async (document, orgId) => {
  const inflated = await inflate(document);
  if (!inflated.ok) {
    if (inflated.error === 'too-large') return err({ kind: 'too-large' });
    return err({ kind: 'faulty', faults: [`is not ${document.coding}, or not all of it`] });
  }
  const bytes = inflated.value === document.bytes ? new Uint8Array(document.bytes) : own(inflated.value);
  return readWhereItFits(bytes, orgId);
};

async function readWhereItFits(bytes: Uint8Array<ArrayBuffer>, orgId: OrgId): Promise<Reading> {
  if (bytes.byteLength <= SHORT_BYTES) {
    const greeting = readGreeting(bytes);
    if (greeting.kind === 'read') return greeting.reading;
  }
  readInThread ??= makeReadingThread();
  return readInThread(bytes, orgId);
}

/** Small buffers share memory, which cannot be transferred, so they are copied. */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
