/**
 * Work that holds the event loop for long, such as parsing a body of a megabyte: a piece at a time, and rests in between
 * that are longer than the pieces. So a flood of it delays itself, and what everybody else asks is answered meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** Does the work as soon as it is its turn; returns or throws what it does. */
export type LongWork = <T>(work: () => T) => Promise<T>;

/**
 * How long the rest after a piece is, in pieces. What follows a parse, such as reading its conditions, takes twice as
 * long again; so the loop is everybody's for about half of the time.
 */
const REST = 5;

export interface LongWorkDeps {
  /** Milliseconds that pass, from any beginning. */
  readonly now: () => number;
  /** Resolves after that many milliseconds. */
  readonly rest: (ms: number) => Promise<unknown>;
}

/** One for each event loop. */
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

/** That of this process. */
export const inLongTurn = makeLongWork({ now: () => performance.now(), rest: (ms) => sleep(ms) });
