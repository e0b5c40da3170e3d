/** A later guess queues the mail about guessed codes if the first attempt to queue it failed. */
import { expect, test } from 'vitest';
import { makeRateLimiter } from '#adapters/memory/stores/identity/rate-limiter.ts';
import { INVALID_CODE } from '#application/auth/auth-refusals.ts';
import { makeCountCode } from '#application/auth/mfa/mfa-codes.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import { err } from '#domain/result.ts';
import { movableClock, newId, SOME_INSTANT } from '#test/support/builders.ts';

test('the next guess queues the mail that could not be queued, exactly once', async () => {
  const { clock, moveTo } = movableClock();
  const mails: string[] = [];
  let isDown = true;
  const countCode = makeCountCode({
    clock,
    rateLimiter: makeRateLimiter(clock),
    hasSignedInFrom: async () => true,
    unitOfWork: async (_scope, work) => {
      if (isDown) throw new Error('the database is away');
      return work({} as Transaction);
    },
    notifyUser: async (_tx, _userId, { kind }) => {
      mails.push(kind);
    },
  });
  const userId = newId<'user'>();
  const guess = async (i: number) => {
    moveTo(SOME_INSTANT + i * 100_000);
    const counted = await countCode({ requestId: 'a-request', ip: '192.0.2.7' }, userId);
    if (!counted.ok) throw new Error(counted.error.detail);
    await counted.value.settle(err(INVALID_CODE));
  };
  for (let i = 1; i < 20; i++) await guess(i);
  await expect(guess(20)).rejects.toThrow('the database is away');
  isDown = false;
  await guess(21);
  await guess(22);
  expect(mails).toStrictEqual(['codes-guessed']);
});
