/**
 * A cache in front of a store that says how old an answer may be, asks the store once however many ask at a time,
 * and keeps what was found apart from what was not, so that made-up keys cannot push out good ones.
 */
import { LRUCache } from 'lru-cache';
import type { MonotonicClock } from './monotonic-clock.ts';

/**
 * What the store says, read after `notBeforeMs` on the monotonic clock. The age counts from the start of a
 * reading, as its answer may be that old. Rejects where the store does; a failure is never kept.
 */
export type SingleFlightCache<K extends string, V> = (key: K, notBeforeMs: number) => Promise<V>;

export interface SingleFlightCacheOptions<K extends string, V> {
  readonly read: (key: K) => Promise<V>;
  readonly monotonicMs: MonotonicClock;
  /** How many answers to keep; the least recently used go first. */
  readonly maxFound: number;
  /** How many keys whose answer was null to keep. */
  readonly maxAbsent: number;
}

interface Reading<V> {
  readonly startedAtMs: number;
  readonly value: V;
}

export function makeSingleFlightCache<K extends string, V>({
  read,
  monotonicMs,
  maxFound,
  maxAbsent,
}: SingleFlightCacheOptions<K, V>): SingleFlightCache<K, V> {
  const found = new LRUCache<K, Reading<V>>({ max: maxFound });
  const absent = new LRUCache<K, Reading<V>>({ max: maxAbsent });
  const underWay = new Map<K, Reading<Promise<V>>>();

  return async (key, notBeforeMs) => {
    const kept = found.get(key) ?? absent.get(key);
    if (kept !== undefined && kept.startedAtMs > notBeforeMs) return kept.value;
    const started = underWay.get(key);
    if (started !== undefined && started.startedAtMs > notBeforeMs) return started.value;
    return startReading(key);
  };

  function startReading(key: K): Promise<V> {
    const startedAtMs = monotonicMs();
    const isNewest = () => underWay.get(key)?.value === answer;
    const answer = Promise.resolve(key)
      .then(read)
      .then((value) => {
        // A slow reading must not overwrite what one begun after it has brought.
        if (isNewest()) keep(key, { startedAtMs, value });
        return value;
      })
      .finally(() => {
        if (isNewest()) underWay.delete(key);
      });
    underWay.set(key, { startedAtMs, value: answer });
    return answer;
  }

  function keep(key: K, reading: Reading<V>): void {
    const [to, from] = reading.value === null ? [absent, found] : [found, absent];
    from.delete(key);
    to.set(key, reading);
  }
}
