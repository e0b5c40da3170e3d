/**
 * Work that blocks the event loop, such as parsing a megabyte of JSON, runs one piece at a time, with pauses between.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export type LongWork = <T>(work: () => T) => Promise<T>;

/**
 * A pause is this many times as long as the parsing before it. Validating the parsed body takes two fifths of
 * the pause, so other requests get about half of the event loop.
 */
const REST = 5;

export interface LongWorkDeps {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly rest: (ms: number) => Promise<unknown>;
}

export function makeLongWork({ now, rest }: LongWorkDeps): LongWork {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const turn = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await turn;
    const begunAt = now();
    try {
      return work();
    } finally {
      void rest(REST * (now() - begunAt)).then(() => resolve());
    }
  };
}

export const inLongTurn = makeLongWork({ now: () => performance.now(), rest: (ms) => sleep(ms) });
