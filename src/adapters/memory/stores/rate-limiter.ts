/** Rate limits in a map, for a single process. */
import type { RateLimiter, RateRule } from '#application/ports/auth/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { EpochMs } from '#domain/time.ts';

interface Window {
  points: number;
  readonly endsAt: EpochMs;
}

/** How many windows are kept before those that have ended are cleared away. */
const CLEARED_ABOVE = 1_000;

export function makeRateLimiter(clock: Clock): RateLimiter {
  const windows = new Map<string, Window>();
  let clearAbove = CLEARED_ABOVE;

  const findOpen = (rule: RateRule, key: string): Window | null => {
    const window = windows.get(toCounter(rule, key));
    return window !== undefined && clock() < window.endsAt ? window : null;
  };

  const clear = () => {
    for (const [counter, { endsAt }] of windows) if (endsAt <= clock()) windows.delete(counter);
    clearAbove = CLEARED_ABOVE + 2 * windows.size;
  };

  return {
    async consume(rule, key) {
      const open = findOpen(rule, key);
      if (open === null) {
        if (windows.size >= clearAbove) clear();
        windows.set(toCounter(rule, key), { points: 1, endsAt: clock() + rule.windowSeconds * 1_000 });
        return { allowed: true };
      }
      if (open.points < rule.points) {
        open.points += 1;
        return { allowed: true };
      }
      return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((open.endsAt - clock()) / 1_000)) };
    },
    async refund(rule, key) {
      const open = findOpen(rule, key);
      if (open !== null && open.points > 0) open.points -= 1;
    },
  };
}

function toCounter({ name }: RateRule, key: string): string {
  return `${name}:${key}`;
}
