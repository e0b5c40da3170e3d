/**
 * Reads documents one by one in a thread. A document that takes too long is refused, and the next gets a new thread.
 */
import { Worker } from 'node:worker_threads';
import { err } from '#domain/result.ts';
import { type Reading, toReading } from './read-greeting.ts';

/** Milliseconds. A document of 32 MiB takes one or two seconds. */
const MAX_READING_MS = 20_000;

/** Takes ownership of the bytes. Never rejects. */
export type ReadInThread = (bytes: Uint8Array<ArrayBuffer>) => Promise<Reading>;

/** The thread starts with the first document and never keeps the process alive while idle. */
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
  // Not with the embedder's options, such as those of a process that runs a text.
  const thread = new Worker(new URL('./reading-worker.ts', import.meta.url), { execArgv: [] });
  // Between documents nobody listens.
  return thread.on('error', () => undefined);
}
