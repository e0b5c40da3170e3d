/**
 * Each caller sets the maximum age of its answer, and concurrent callers share one read. Misses are kept
 * apart, so made-up keys cannot evict real ones.
 */
import { LRUCache } from 'lru-cache';

/** Milliseconds. A wall clock that is set back would keep a revoked permission alive. */
export type MonotonicClock = () => number;

export const readMonotonicMs: MonotonicClock = () => performance.now();

/** The store's answer, read no earlier than `notBeforeMs` on the monotonic clock. Failures are not cached. */
export type SingleFlightCache<K extends string, V> = (key: K, notBeforeMs: number) => Promise<V>;

interface SingleFlightCacheOptions<K extends string, V> {
  readonly read: (key: K) => Promise<V>;
  readonly monotonicMs: MonotonicClock;
  readonly maxFound: number;
  /** A further limit, for values that can be large. */
  readonly bytes?: { readonly max: number; readonly of: (value: V) => number };
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
  bytes,
  maxAbsent,
}: SingleFlightCacheOptions<K, V>): SingleFlightCache<K, V> {
  const found = new LRUCache<K, Reading<V>>({
    max: maxFound,
    ...(bytes !== undefined && { maxSize: bytes.max, sizeCalculation: ({ value }) => bytes.of(value) }),
  });
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
        // A slow read must not overwrite a newer result.
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
