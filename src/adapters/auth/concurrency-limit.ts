/** A limit on how many tasks run at once; further tasks queue, first in, first out. */

/** Runs the task when a slot is free and returns its outcome; rejects with {@link QueueFullError} if the queue is full. */
export type ConcurrencyLimit = <T>(task: () => Promise<T>) => Promise<T>;

/** The queue is full; the caller should try again later. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';

  constructor() {
    super('too many tasks are queued already');
  }
}

/** `maxConcurrent` is a positive integer; anything else throws a RangeError. */
export function makeConcurrencyLimit(
  maxConcurrent: number,
  maxQueued = Number.POSITIVE_INFINITY,
): ConcurrencyLimit {
  if (!Number.isInteger(maxConcurrent) || maxConcurrent < 1) {
    throw new RangeError(`maxConcurrent must be a positive integer, not ${maxConcurrent}`);
  }
  const queue: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < maxConcurrent) running += 1;
    else if (queue.length >= maxQueued) throw new QueueFullError();
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await task();
    } finally {
      // The slot goes straight to the next in the queue, so that a newcomer cannot jump it.
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
