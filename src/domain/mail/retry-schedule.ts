/** When a mail that could not be sent is tried again, and when it is given up. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After the first attempt, the second and so on; after the last of these, the last again and again. */
const DELAYS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR] as const;

/** A part of each delay is left to chance, so that mails that failed together are not tried together for ever. */
const JITTER = 0.2;

/** So that mails are on their way within a minute of a server's coming back. */
const LONGEST_OUTAGE_DELAY_MS = MINUTE;

/** From the first attempt, or from when an operator asked for another. */
export const GIVE_UP_AFTER_MS = 72 * HOUR;

/** Failed mails are for an operator to look at and to retry; older ones nobody will. */
export const FAILED_KEPT_MS = 30 * 24 * HOUR;

/**
 * Milliseconds to wait after so many attempts (from 1). `deferred` is one mail's fault; `unreachable` says nothing
 * against the mail, and so many attempts are no burden to a server that is away. `chance` is from 0 to below 1.
 */
export function retryDelayMs(reason: 'deferred' | 'unreachable', attempts: number, chance: number): number {
  const delay = DELAYS_MS[Math.min(attempts, DELAYS_MS.length) - 1] ?? HOUR;
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * chance));
  return reason === 'unreachable' ? Math.min(jittered, LONGEST_OUTAGE_DELAY_MS) : jittered;
}
