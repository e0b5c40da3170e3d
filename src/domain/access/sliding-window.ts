/** A limit on attempts as a sliding window: never more than its points in any stretch of its length (Contract: §2, §7). */
import type { EpochMs } from '#domain/time.ts';

/** How many attempts in how long. */
export interface WindowLimit {
  /** The most attempts that are allowed within one window; at least 1. */
  readonly points: number;
  readonly windowSeconds: number;
}

/** What is remembered of one counter. */
export interface CountedAttempts {
  /** When each attempt was counted, oldest first; none that has left the window. */
  readonly instants: readonly EpochMs[];
  /** Whether the last attempt was refused. */
  readonly isRefusing: boolean;
}

/** Whether an attempt may go ahead. */
export type WindowVerdict =
  /** `remaining`: how many more attempts the window has room for. */
  | { readonly allowed: true; readonly remaining: number }
  | {
      readonly allowed: false;
      /** Whole seconds until an attempt is allowed again, rounded up, at least 1. */
      readonly retryAfterSeconds: number;
      /** Whether no other attempt has been refused since the last one that was allowed. */
      readonly isFirstRefusal: boolean;
    };

/** A counter that nobody has used. */
export const NO_ATTEMPTS: CountedAttempts = { instants: [], isRefusing: false };

/** Counts an attempt if the window has room for it; one that is refused is not counted. */
export function countAttempt(
  limit: WindowLimit,
  counted: CountedAttempts,
  now: EpochMs,
): { readonly counted: CountedAttempts; readonly verdict: WindowVerdict } {
  const instants = withinWindow(limit, counted.instants, now);
  if (instants.length < limit.points) {
    return {
      counted: { instants: [...instants, now], isRefusing: false },
      verdict: { allowed: true, remaining: limit.points - instants.length - 1 },
    };
  }
  return {
    counted: { instants, isRefusing: true },
    verdict: {
      allowed: false,
      retryAfterSeconds: secondsUntilRoom(limit, instants, now),
      isFirstRefusal: !counted.isRefusing,
    },
  };
}

/** Takes the newest attempt back, if there is one in the window. */
export function uncountAttempt(limit: WindowLimit, counted: CountedAttempts, now: EpochMs): CountedAttempts {
  return { ...counted, instants: withinWindow(limit, counted.instants, now).slice(0, -1) };
}

/** Whole seconds until a full window has room, rounded up, at least 1. `instants` are oldest first. */
export function secondsUntilRoom(limit: WindowLimit, instants: readonly EpochMs[], now: EpochMs): number {
  // Of more attempts than are allowed, which an earlier version with a higher limit may have left, all but the last
  // few have to leave the window.
  const oldest = Math.min(now, instants.at(-limit.points) ?? now);
  return Math.max(1, Math.ceil((oldest + limit.windowSeconds * 1_000 - now) / 1_000));
}

/** If the clock was set back, attempts that now seem yet to come count as made now: nobody waits longer than a window. */
function withinWindow(
  { windowSeconds }: WindowLimit,
  instants: readonly EpochMs[],
  now: EpochMs,
): readonly EpochMs[] {
  const begin = now - windowSeconds * 1_000;
  return instants.map((instant) => Math.min(instant, now)).filter((instant) => instant > begin);
}
