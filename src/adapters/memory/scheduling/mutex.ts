/** Transactions one after the other: what makes a change over several turns of the event loop atomic. */

/** Runs `work` once everything that was given before has ended; gives or throws what `work` does. */
export type Lock = <T>(work: () => Promise<T> | T) => Promise<T>;

export function makeLock(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    // The next in line waits for the end of this one, however it ends.
    last = turn.catch(() => undefined);
    return turn;
  };
}
