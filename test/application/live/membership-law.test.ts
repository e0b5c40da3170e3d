/** The law of memberships in memory. */
import { expect, test } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { newId } from '#test/support/builders.ts';
import { EVERYTHING, type Evaluating, Killed, runModel } from './membership-model.ts';

const STEPS = Number(process.env.MEMBERSHIP_STEPS ?? 6_000);

/** Throws before or after one of the calls of an evaluation. */
function killing(memberships: Evaluating, countdown: number, isAfter: boolean): Evaluating {
  return {
    evaluate: (partnerId, work) =>
      memberships.evaluate(partnerId, async (evaluation) => {
        const result = await work(
          new Proxy(evaluation, {
            get(target, key) {
              const member = Reflect.get(target, key);
              if (typeof member !== 'function') return member;
              return (...given: unknown[]) => {
                const isLast = countdown-- === 0;
                if (isLast && !isAfter) throw new Killed();
                const answer = member.apply(target, given);
                if (isLast) throw new Killed();
                return answer;
              };
            },
          }),
        );
        // If the countdown outlasts the calls, the kill comes after the work and before the commit.
        if (countdown >= 0) throw new Killed();
        return result;
      }),
  };
}

test('members and changes obey the law under random changes and killed evaluations', {
  timeout: 100_000_000,
}, async () => {
  const seen = await runModel(STEPS, async (clock) => {
    const backend = createMemoryBackend({
      ...{ translatePattern, digestSecret, clock, newId },
      hashPassword: async () => 'hash',
      filterTimeoutMs: 60_000,
    });
    return { backend, killing: (countdown, isAfter) => killing(backend.memberships, countdown, isAfter) };
  });
  expect([...seen.keys()].toSorted()).toStrictEqual(EVERYTHING);
});
