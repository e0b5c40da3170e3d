/**
 * Reads documents in a thread beside the event loop, one after the other. One that takes more time than any inventory
 * is refused, and the next one gets a new thread.
 */
import { Worker } from 'node:worker_threads';
import { err } from '#domain/result.ts';
import { type Reading, toReading } from './read-greeting.ts';

/** In milliseconds. A document of 32 MiB takes one or two seconds. */
const MAX_READING_MS = 20_000;

/** Reads with the bytes as its own: they must not be used any more. Never rejects. */
export type ReadInThread = (bytes: Uint8Array<ArrayBuffer>) => Promise<Reading>;

/** Its thread is started for the first document, and keeps no process running that waits for none. */
export function makeReadingThread(maxReadingMs = MAX_READING_MS): ReadInThread {
  let last: Promise<unknown> = Promise.resolve();
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

  return (bytes) => {
    const reading = last.then(() => readNext(bytes));
    last = reading;
    return reading;
  };
}

function startThread(): Worker {
  // Not with the options of an embedder's process, such as one that runs a text.
  const thread = new Worker(new URL('./reading-worker.ts', import.meta.url), { execArgv: [] });
  // Nobody listens between two documents.
  return thread.on('error', () => undefined);
}
