/** How an erasure that failed is tried again: set aside for longer each time, and never given up. */
import { type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

/** By the number of attempts that failed, from 1; the last one holds from then on. */
const DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS] as const;
const LONGEST_DELAY_MS = 6 * HOUR_MS;

/** When an erasure is tried again that has failed so many times, the last time at `failedAt`. */
export function nextErasureAttempt(failures: number, failedAt: EpochMs): EpochMs {
  return failedAt + (DELAYS_MS[failures - 1] ?? LONGEST_DELAY_MS);
}
