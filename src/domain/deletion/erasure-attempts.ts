/** When a failed erasure is retried. Delays grow, and retries never stop. */
import { type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

/** Indexed by failed attempts, from 1; the last delay repeats. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS] as const;
const LONGEST_DELAY_MS = 6 * HOUR_MS;

/** When to retry after this many failures, the last one at `failedAt`. */
export function nextErasureAttempt(failures: number, failedAt: EpochMs): EpochMs {
  return failedAt + (DELAYS_MS[failures - 1] ?? LONGEST_DELAY_MS);
}
