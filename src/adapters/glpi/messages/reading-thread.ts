/**
 * Reads documents in a thread beside the event loop, one after the other. The thread has bounds of its own: a
 * document that takes more memory or time than any inventory is refused, and the next one gets a new thread.
 */
import { Worker } from 'node:worker_threads';
import { err } from '#domain/result.ts';
import type { Reading } from './read-message.ts';

/** Its heap, in MiB. A document of 32 MiB takes some 300. */
const MAX_HEAP_MIB = 768;

/** In milliseconds. A document of 32 MiB takes one or two seconds. */
const MAX_READING_MS = 20_000;

/** Takes the bytes over: they must not be used any more. Never rejects. */
export function makeReadingThread(): (bytes: Uint8Array<ArrayBuffer>) => Promise<Reading> {
  let last: Promise<unknown> = Promise.resolve();
  let worker: Worker | null = null;

  async function readNext(bytes: Uint8Array<ArrayBuffer>): Promise<Reading> {
    const { promise, resolve } = Promise.withResolvers<Reading>();
    const thread = worker ?? startThread();
    worker = thread;
    const giveUp = () => {
      worker = null;
      void thread.terminate();
      resolve(err(['is too complex to be read']));
    };
    const timer = setTimeout(giveUp, MAX_READING_MS);
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
  const thread = new Worker(new URL('./reading-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
  // Nobody listens between two documents.
  return thread.on('error', () => undefined);
}
