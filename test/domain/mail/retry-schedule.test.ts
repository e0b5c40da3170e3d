/** When mails are tried again. */
import { describe, expect, test } from 'vitest';
import { retryDelayMs } from '#domain/mail/queued-mail.ts';

const MIDDLE = 0.5;

describe('retryDelayMs', () => {
  test('grows from 5 seconds to an hour for a deferred mail, and stays there', () => {
    const delays = [1, 2, 3, 4, 5, 6, 80].map((attempts) => retryDelayMs('deferred', attempts, MIDDLE));
    expect(delays).toStrictEqual([5_000, 30_000, 120_000, 600_000, 3_600_000, 3_600_000, 3_600_000]);
  });

  test('grows to a minute for an unreachable server', () => {
    const delays = [1, 2, 3, 4, 80].map((attempts) => retryDelayMs('unreachable', attempts, MIDDLE));
    expect(delays).toStrictEqual([5_000, 30_000, 60_000, 60_000, 60_000]);
  });

  test('varies by chance by up to a fifth in either direction', () => {
    expect([0, 0.25, 0.75, 0.999].map((chance) => retryDelayMs('deferred', 5, chance))).toStrictEqual([
      2_880_000, 3_240_000, 3_960_000, 4_318_560,
    ]);
  });
});
