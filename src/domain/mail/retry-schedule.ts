/** When a mail that could not be sent is tried again, and when it is given up. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

/** After the first attempt, the second and so on; the last delay repeats. */
const DELAYS_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

/** The share by which each delay varies, so that mails that failed together are not retried together for ever. */
const JITTER = 0.2;

/** In milliseconds. A mail whose next attempt is further away was put off while a clock was ahead. */
export const LONGEST_RETRY_DELAY_MS = Math.max(...DELAYS_MS) * (1 + JITTER);

/** Short enough that mail flows again within a minute of a server's return. */
const LONGEST_OUTAGE_DELAY_MS = MINUTE_MS;

/** Counted from the first attempt, or from an operator's request to retry. */
export const GIVE_UP_AFTER_MS = 72 * HOUR_MS;

/** How long failed mails are kept for an operator to inspect and retry. */
export const FAILED_KEPT_MS = 30 * DAY_MS;

/**
 * Milliseconds to wait after this many attempts (from 1). `deferred` concerns one mail; `unreachable` says nothing
 * about the mail, and a server that is down is not burdened by frequent attempts. `chance` is from 0 to below 1.
 */
export function retryDelayMs(reason: 'deferred' | 'unreachable', attempts: number, chance: number): number {
  const delay = DELAYS_MS[Math.min(attempts, DELAYS_MS.length) - 1] ?? HOUR_MS;
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * chance));
  return reason === 'unreachable' ? Math.min(jittered, LONGEST_OUTAGE_DELAY_MS) : jittered;
}
