import { hash } from 'node:crypto';
import {
  counterName,
  type RateKey,
  type RateLimiter,
  type RateRule,
} from '#application/ports/auth/stores/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import {
  type CountedAttempts,
  countAttempt,
  NO_ATTEMPTS,
  uncountAttempt,
} from '#domain/access/sliding-window.ts';
import type { EpochMs } from '#domain/time.ts';

interface Counter {
  readonly counted: CountedAttempts;
  readonly expiresAt: EpochMs;
}

const CLEARED_ABOVE = 1_000;

export function makeRateLimiter(clock: Clock): RateLimiter {
  const counters = new Map<string, Counter>();
  let clearAbove = CLEARED_ABOVE;

  const clear = () => {
    for (const [name, { expiresAt }] of counters) if (expiresAt <= clock()) counters.delete(name);
    clearAbove = CLEARED_ABOVE + 2 * counters.size;
  };

  const put = (name: string, rule: RateRule, counted: CountedAttempts) => {
    const last = counted.instants.at(-1);
    if (last === undefined) counters.delete(name);
    else counters.set(name, { counted, expiresAt: last + rule.windowSeconds * 1_000 });
  };

  return {
    async consume(key) {
      const { rule } = key;
      const name = nameOf(key);
      const before = counters.get(name)?.counted ?? NO_ATTEMPTS;
      if (before === NO_ATTEMPTS && counters.size >= clearAbove) clear();
      const { counted, verdict } = countAttempt(rule, before, clock());
      put(name, rule, counted);
      return verdict;
    },
    async refund(key) {
      const { rule } = key;
      const name = nameOf(key);
      const before = counters.get(name);
      if (before !== undefined) put(name, rule, uncountAttempt(rule, before.counted, clock()));
    },
  };
}

/** Emails are hashed, so a flood of long ones takes little memory. */
function nameOf(key: RateKey): string {
  return counterName(key, (text) => hash('sha256', text, 'hex'));
}
