/** How the windows of a rate limiter begin and end, with a clock that the test moves. */
import { describe, expect, test } from 'vitest';
import type { RateLimiter, RateRule } from '#application/ports/auth/rate-limiter.ts';
import type { EpochMs } from '#domain/time.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';

export interface ClockedLimiter {
  readonly limiter: RateLimiter;
  readonly moveTo: (instant: EpochMs) => void;
}

export function testRateLimiterWindows(world: () => ClockedLimiter): void {
  const aRule = (): RateRule => ({ name: `rule-${newId()}`, points: 2, windowSeconds: 60 });

  describe('a window of a RateLimiter', () => {
    test('ends so many seconds after its first attempt, to the millisecond', async () => {
      const { limiter, moveTo } = world();
      const rule = aRule();
      moveTo(SOME_INSTANT);
      await limiter.consume(rule, 'k');
      moveTo(SOME_INSTANT + 40_000);
      await limiter.consume(rule, 'k');
      moveTo(SOME_INSTANT + 59_999);
      expect(await limiter.consume(rule, 'k')).toStrictEqual({ allowed: false, retryAfterSeconds: 1 });
      moveTo(SOME_INSTANT + 60_000);
      expect(await limiter.consume(rule, 'k')).toStrictEqual({ allowed: true });
    });

    test.each([
      [0, 60],
      [1, 60],
      [1_000, 59],
      [1_001, 59],
      [59_000, 1],
    ])('that began %i ms ago ends in %i s', async (age, retryAfterSeconds) => {
      const { limiter, moveTo } = world();
      const rule = { ...aRule(), points: 1 };
      moveTo(SOME_INSTANT);
      await limiter.consume(rule, 'k');
      moveTo(SOME_INSTANT + age);
      expect(await limiter.consume(rule, 'k')).toStrictEqual({ allowed: false, retryAfterSeconds });
    });

    test('is not made longer by what is refused', async () => {
      const { limiter, moveTo } = world();
      const rule = { ...aRule(), points: 1 };
      moveTo(SOME_INSTANT);
      await limiter.consume(rule, 'k');
      for (let second = 1; second < 60; second++) {
        moveTo(SOME_INSTANT + second * 1_000);
        await limiter.consume(rule, 'k');
      }
      moveTo(SOME_INSTANT + 60_000);
      expect(await limiter.consume(rule, 'k')).toStrictEqual({ allowed: true });
    });

    test('takes nothing over into the next', async () => {
      const { limiter, moveTo } = world();
      const rule = aRule();
      moveTo(SOME_INSTANT);
      await limiter.consume(rule, 'k');
      await limiter.consume(rule, 'k');
      moveTo(SOME_INSTANT + 60_000);
      await limiter.refund(rule, 'k');
      const next = [];
      for (let i = 0; i < 3; i++) next.push((await limiter.consume(rule, 'k')).allowed);
      expect(next).toStrictEqual([true, true, false]);
    });
  });
}
