/** How long what comes again is expected to take, by how long it took before. */

/**
 * How much of the difference a longer time counts, and how many times as much is expected after it at most: more often
 * than not, something else ran meanwhile.
 */
const RISES_BY = 1 / 32;
const MOST_RISE = 2;

/** Milliseconds by key, for as long as somebody has the key. */
export class ExpectedTimes<K extends WeakKey> {
  readonly #expected = new WeakMap<K, number>();

  /** Undefined for what has not come before. */
  get(key: K): number | undefined {
    return this.#expected.get(key);
  }

  note(key: K, ms: number): void {
    const expected = this.#expected.get(key) ?? ms;
    const risen = Math.min(expected + (ms - expected) * RISES_BY, expected * MOST_RISE);
    this.#expected.set(key, ms <= expected ? ms : risen);
  }
}
