/** When a failed mail is tried again, and when it is given up. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

/** Indexed by attempts; the last delay repeats. */
const DELAYS_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

/** Each delay varies by this share, so mails that failed together spread out. */
const JITTER = 0.2;

/** Milliseconds. A mail further away than this was deferred while a clock was ahead. */
export const LONGEST_RETRY_DELAY_MS = Math.max(...DELAYS_MS) * (1 + JITTER);

/** Mail flows again within a minute of a server's return. */
const LONGEST_OUTAGE_DELAY_MS = MINUTE_MS;

/** Counted from the first attempt, or from `mail retry`. */
export const GIVE_UP_AFTER_MS = 72 * HOUR_MS;

/** How long operators can inspect and retry failed mails. */
export const FAILED_KEPT_MS = 30 * DAY_MS;

/**
 * Milliseconds to wait after `attempts` (from 1). An unreachable server delays all mails, so its delay is capped at a
 * minute. `chance` is in [0, 1).
 */
export function retryDelayMs(reason: 'deferred' | 'unreachable', attempts: number, chance: number): number {
  const delay = DELAYS_MS[Math.min(attempts, DELAYS_MS.length) - 1] ?? HOUR_MS;
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * chance));
  return reason === 'unreachable' ? Math.min(jittered, LONGEST_OUTAGE_DELAY_MS) : jittered;
}
