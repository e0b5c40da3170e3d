/** Work that blocks the event loop, such as parsing a megabyte of JSON, is done one piece at a time with rests between. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Does the work when its turn comes; returns or throws what it does. */
export type LongWork = <T>(work: () => T) => Promise<T>;

/**
 * The length of a rest in pieces of work. What follows a parse, such as reading conditions, takes twice as long again,
 * so other requests get about half of the event loop.
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

/** For the event loop of this process. */
export const inLongTurn = makeLongWork({ now: () => performance.now(), rest: (ms) => sleep(ms) });
