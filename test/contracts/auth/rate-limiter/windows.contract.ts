/** How the windows of a rate limiter slide, with a clock that the test moves. */
import type { RateLimiter, RateRule } from '#application/ports/auth/stores/rate-limiter.ts';
import type { EpochMs } from '#domain/time.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aRateKey, newId, SOME_INSTANT } from '#test/support/builders.ts';

export interface ClockedLimiter {
  readonly limiter: RateLimiter;
  readonly moveTo: (instant: EpochMs) => void;
}

export function testRateLimiterWindows(world: () => ClockedLimiter): void {
  const aRule = (given: Partial<RateRule> = {}): RateRule => ({
    name: `rule-${newId()}`,
    points: 2,
    windowSeconds: 60,
    ...given,
  });
  /** Attempts with one key at these milliseconds after the start: true if allowed, else the seconds to wait. */
  const attemptsAt = async (
    rule: RateRule,
    offsets: readonly number[],
    { limiter, moveTo }: ClockedLimiter = world(),
  ) => {
    const outcomes: (true | number)[] = [];
    for (const offset of offsets) {
      moveTo(SOME_INSTANT + offset);
      const verdict = await limiter.consume(aRateKey(rule, 'k'));
      outcomes.push(verdict.allowed || verdict.retryAfterSeconds);
    }
    return outcomes;
  };

  describe('the window of a RateLimiter', () => {
    test('has room again once its oldest attempt is one window old, to the millisecond', async () => {
      expect(await attemptsAt(aRule(), [0, 40_000, 59_999, 60_000])).toStrictEqual([true, true, 1, true]);
    });

    test('has room for exactly one attempt for each that leaves it', async () => {
      const outcomes = await attemptsAt(aRule(), [0, 40_000, 60_000, 60_001, 99_999, 100_000, 100_001]);
      expect(outcomes).toStrictEqual([true, true, true, 40, 1, true, 20]);
    });

    test('has no boundary at which twice as many attempts get through', async () => {
      const rule = aRule({ points: 5, windowSeconds: 300 });
      // One at the start, the others at the very end of its window, and then as many again.
      const offsets = [0, ...Array(4).fill(299_000), ...Array(9).fill(300_500)];
      const outcomes = await attemptsAt(rule, offsets);
      expect(outcomes).toStrictEqual([...Array(6).fill(true), ...Array(8).fill(299)]);
    });

    test('never holds more than the limit, whenever the attempts come', async () => {
      const rule = aRule({ points: 3 });
      const offsets = Array.from({ length: 80 }, (_, i) => i * 4_999 + ((i * 7_919) % 4_000));
      const outcomes = await attemptsAt(rule, offsets);
      const allowed = offsets.filter((_, i) => outcomes[i] === true);
      const most = allowed.map((end) => allowed.filter((at) => at > end - 60_000 && at <= end).length);
      expect(Math.max(...most)).toBe(3);
      // No refusal lasts longer than needed.
      for (const [i, outcome] of outcomes.entries()) {
        const offset = offsets[i] ?? 0;
        const third = allowed.filter((at) => at < offset).at(-3) ?? Number.NEGATIVE_INFINITY;
        expect(outcome).toBe(third + 60_000 <= offset || Math.ceil((third + 60_000 - offset) / 1_000));
      }
    });

    test.each([
      [0, 60],
      [1, 60],
      [1_000, 59],
      [1_001, 59],
      [59_000, 1],
    ])('has been full for %i ms and has room in %i s', async (age, retryAfterSeconds) => {
      expect(await attemptsAt(aRule({ points: 1 }), [0, age])).toStrictEqual([true, retryAfterSeconds]);
    });

    test('is not extended by refused attempts', async () => {
      const offsets = Array.from({ length: 61 }, (_, second) => second * 1_000);
      const outcomes = await attemptsAt(aRule({ points: 1 }), offsets);
      expect([outcomes[0], outcomes[59], outcomes[60]]).toStrictEqual([true, 1, true]);
    });

    test('refunds no attempt that has left it', async () => {
      const clocked = world();
      const rule = aRule();
      await attemptsAt(rule, [0, 0], clocked);
      clocked.moveTo(SOME_INSTANT + 60_000);
      await clocked.limiter.refund(aRateKey(rule, 'k'));
      expect(await attemptsAt(rule, [60_000, 60_000, 60_000], clocked)).toStrictEqual([true, true, 60]);
    });

    test('refunds the newest attempt', async () => {
      const clocked = world();
      const rule = aRule();
      await attemptsAt(rule, [0, 40_000], clocked);
      await clocked.limiter.refund(aRateKey(rule, 'k'));
      expect(await attemptsAt(rule, [50_000, 50_000, 60_000, 60_000], clocked)).toStrictEqual([
        true,
        10,
        true,
        50,
      ]);
    });

    test('never refuses for longer than its length, even if the clock is set back', async () => {
      const hour = 3_600_000;
      const outcomes = await attemptsAt(aRule(), [
        hour,
        hour,
        hour,
        0,
        1_000,
        59_999,
        60_000,
        60_001,
        60_002,
      ]);
      expect(outcomes).toStrictEqual([true, true, 60, 60, 59, 1, true, true, 60]);
    });

    test('counts attempts made before the clock was set back', async () => {
      expect(await attemptsAt(aRule(), [10_000, 5_000, 5_001, 65_000])).toStrictEqual([true, true, 60, true]);
    });
  });
}
