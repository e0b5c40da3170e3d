/** Lets only so many of the tasks given to it run at once; the others wait their turn, first come first served. */

/** Runs the task when there is room, and gives its outcome; rejects with {@link LineTooLongError} where many wait. */
export type ConcurrencyLimit = <T>(task: () => Promise<T>) => Promise<T>;

/** So many wait already that whoever comes is better told to come back. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';

  constructor() {
    super('there is more to do than can be done in time');
  }
}

/** `maxConcurrent` is a whole number from 1 on; anything else throws a RangeError. */
export function makeConcurrencyLimit(
  maxConcurrent: number,
  maxWaiting = Number.POSITIVE_INFINITY,
): ConcurrencyLimit {
  if (!Number.isInteger(maxConcurrent) || maxConcurrent < 1) {
    throw new RangeError(`maxConcurrent must be a whole number from 1 on, not ${maxConcurrent}`);
  }
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < maxConcurrent) running += 1;
    else if (waiting.length >= maxWaiting) throw new LineTooLongError();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The place goes straight to the next in line, so that a newcomer cannot slip in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
