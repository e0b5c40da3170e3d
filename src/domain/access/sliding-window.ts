/** At most `points` attempts in any period of `windowSeconds` (Contract: §2, §7). */
import type { EpochMs } from '#domain/time.ts';

export interface WindowLimit {
  /** At least 1. */
  readonly points: number;
  readonly windowSeconds: number;
}

export interface CountedAttempts {
  /** Oldest first, all within the window. */
  readonly instants: readonly EpochMs[];
  readonly isRefusing: boolean;
}

export type WindowVerdict =
  /** How many more attempts the window allows. */
  | { readonly allowed: true; readonly remaining: number }
  | {
      readonly allowed: false;
      /** Whole seconds, rounded up, at least 1. */
      readonly retryAfterSeconds: number;
      /** True if no attempt was refused since the last allowed one. */
      readonly isFirstRefusal: boolean;
    };

/** An unused counter. */
export const NO_ATTEMPTS: CountedAttempts = { instants: [], isRefusing: false };

/** A refused attempt does not count. */
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

/** Takes back the newest attempt in the window. */
export function uncountAttempt(limit: WindowLimit, counted: CountedAttempts, now: EpochMs): CountedAttempts {
  return { ...counted, instants: withinWindow(limit, counted.instants, now).slice(0, -1) };
}

/** Whole seconds, at least 1, until the full window allows another attempt. `instants` are oldest first. */
export function secondsUntilRoom(limit: WindowLimit, instants: readonly EpochMs[], now: EpochMs): number {
  // If the limit was lowered, all attempts but the newest `points - 1` have to leave the window.
  const oldest = Math.min(now, instants.at(-limit.points) ?? now);
  return Math.max(1, Math.ceil((oldest + limit.windowSeconds * 1_000 - now) / 1_000));
}

/** After a clock was set back, attempts from the future count as made now, so no wait exceeds the window. */
function withinWindow(
  { windowSeconds }: WindowLimit,
  instants: readonly EpochMs[],
  now: EpochMs,
): readonly EpochMs[] {
  const begin = now - windowSeconds * 1_000;
  return instants.map((instant) => Math.min(instant, now)).filter((instant) => instant > begin);
}
