/** What every rate limiter promises: it counts in sliding windows, for all who share the store. */
import type { RateRule, RateVerdict } from '#application/ports/auth/stores/rate-limiter.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aRateKey, newId } from '#test/support/builders.ts';

export function testRateLimiter(backend: () => ContractBackend): void {
  const rule = (given: Partial<RateRule> = {}): RateRule => ({
    name: `rule-${newId()}`,
    points: 3,
    windowSeconds: 300,
    ...given,
  });
  const consume = (given: RateRule, key: string) => backend().rateLimiter.consume(aRateKey(given, key));
  const consumeTimes = async (
    times: number,
    given: RateRule,
    key: string,
  ): Promise<readonly RateVerdict[]> => {
    const verdicts: RateVerdict[] = [];
    for (let i = 0; i < times; i++) verdicts.push(await consume(given, key));
    return verdicts;
  };
  const allowed = { allowed: true, remaining: 0 };

  describe('RateLimiter', () => {
    test('allows as many attempts as the rule has points, and then no more', async () => {
      const given = rule();
      const verdicts = await consumeTimes(5, given, 'k');
      expect(verdicts.map((verdict) => verdict.allowed)).toStrictEqual([true, true, true, false, false]);
    });

    test('says how many more attempts it would allow', async () => {
      const verdicts = await consumeTimes(3, rule(), 'k');
      expect(verdicts).toStrictEqual([2, 1, 0].map((remaining) => ({ allowed: true, remaining })));
    });

    test('marks the first refusal, and no other until an attempt is allowed', async () => {
      const given = rule({ points: 1 });
      const firsts = async (times: number) =>
        (await consumeTimes(times, given, 'k')).map((verdict) => verdict.allowed || verdict.isFirstRefusal);
      expect(await firsts(4)).toStrictEqual([true, true, false, false]);
      await backend().rateLimiter.refund(aRateKey(given, 'k'));
      expect(await firsts(3)).toStrictEqual([true, true, false]);
    });

    test('marks only one refusal as the first if many attempts come at once', async () => {
      const given = rule({ points: 5 });
      const verdicts = await Promise.all(Array.from({ length: 30 }, () => consume(given, 'k')));
      expect(verdicts.filter((verdict) => !verdict.allowed && verdict.isFirstRefusal)).toHaveLength(1);
    });

    test('says in how many whole seconds an attempt is allowed again', async () => {
      const [, refused] = await consumeTimes(2, rule({ points: 1, windowSeconds: 300 }), 'k');
      if (refused === undefined || refused.allowed) throw new Error('it was allowed');
      expect(Number.isInteger(refused.retryAfterSeconds)).toBe(true);
      expect(refused.retryAfterSeconds).toBeGreaterThan(200);
      expect(refused.retryAfterSeconds).toBeLessThanOrEqual(300);
    });

    test('counts each key separately', async () => {
      const given = rule({ points: 1 });
      await consume(given, 'one');
      expect(await consume(given, 'two')).toStrictEqual(allowed);
    });

    test('counts each rule separately', async () => {
      await consume(rule({ points: 1 }), 'k');
      expect(await consume(rule({ points: 1 }), 'k')).toStrictEqual(allowed);
    });

    test('tells keys with different parts apart, whatever the parts contain', async () => {
      const given = rule({ points: 1 });
      const keys = [['a', 'b'], ['a:b'], ['a b'], ['ab'], ['b', 'a'], ['a', 'b', ''], ['["a","b"]'], ['a,b']];
      for (const parts of keys) {
        expect(await backend().rateLimiter.consume(aRateKey(given, ...parts))).toStrictEqual(allowed);
      }
    });

    test.each([
      ['of any length', 'k'.repeat(10_000)],
      ['with a NUL', 'a\u0000b'],
      ['that is empty', ''],
    ])('takes a key %s', async (_what, key) => {
      const given = rule({ points: 1 });
      expect(await consume(given, key)).toStrictEqual(allowed);
      expect(await consume(given, key)).toMatchObject({ allowed: false });
    });

    test('allows no more attempts than points if many come at once', async () => {
      const given = rule({ points: 5 });
      const verdicts = await Promise.all(Array.from({ length: 50 }, () => consume(given, 'k')));
      expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(5);
    });

    test('refunds one attempt', async () => {
      const given = rule({ points: 2 });
      await consumeTimes(2, given, 'k');
      await backend().rateLimiter.refund(aRateKey(given, 'k'));
      const verdicts = await consumeTimes(2, given, 'k');
      expect(verdicts.map((verdict) => verdict.allowed)).toStrictEqual([true, false]);
    });

    test('refunds no more attempts than were made', async () => {
      const given = rule({ points: 1 });
      await backend().rateLimiter.refund(aRateKey(given, 'k'));
      await consume(given, 'k');
      await backend().rateLimiter.refund(aRateKey(given, 'k'));
      await backend().rateLimiter.refund(aRateKey(given, 'k'));
      const verdicts = await consumeTimes(2, given, 'k');
      expect(verdicts.map((verdict) => verdict.allowed)).toStrictEqual([true, false]);
    });
  });
}
