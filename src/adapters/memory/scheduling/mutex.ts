/** Runs transactions one at a time, so that a change across several iterations of the event loop is atomic. */

/** Runs `work` once all earlier work has ended; returns or throws what `work` does. */
export type Mutex = <T>(work: () => Promise<T> | T) => Promise<T>;

export function makeMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    // The next one waits for the end of this one, however it ends.
    last = result.catch(() => undefined);
    return result;
  };
}
