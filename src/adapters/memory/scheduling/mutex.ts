/**
 * Runs transactions one at a time, so a change that spans several iterations of the event loop is atomic. Returns or
 * throws what `work` does.
 */
export type Mutex = <T>(work: () => Promise<T> | T) => Promise<T>;

export function makeMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    // A failed transaction does not stop the next one.
    last = result.catch(() => undefined);
    return result;
  };
}
