import { expect, test } from 'vitest';
import { countAttempt, NO_ATTEMPTS, uncountAttempt } from '#domain/access/sliding-window.ts';

const LIMIT = { points: 2, windowSeconds: 60 };

test('an allowed attempt is remembered, and a refused one is not', () => {
  const first = countAttempt(LIMIT, NO_ATTEMPTS, 1_000);
  expect(first).toStrictEqual({
    counted: { instants: [1_000], isRefusing: false },
    verdict: { allowed: true, remaining: 1 },
  });
  const second = countAttempt(LIMIT, first.counted, 2_000);
  const third = countAttempt(LIMIT, second.counted, 3_000);
  expect(third).toStrictEqual({
    counted: { instants: [1_000, 2_000], isRefusing: true },
    verdict: { allowed: false, retryAfterSeconds: 58, isFirstRefusal: true },
  });
  expect(countAttempt(LIMIT, third.counted, 3_001).verdict).toStrictEqual({
    allowed: false,
    retryAfterSeconds: 58,
    isFirstRefusal: false,
  });
});

test('attempts that have left the window are forgotten', () => {
  const counted = { instants: [1_000, 2_000], isRefusing: true };
  expect(countAttempt(LIMIT, counted, 61_000)).toStrictEqual({
    counted: { instants: [2_000, 61_000], isRefusing: false },
    verdict: { allowed: true, remaining: 0 },
  });
  expect(uncountAttempt(LIMIT, counted, 61_000)).toStrictEqual({ instants: [], isRefusing: true });
});

test('all earlier attempts count after a limit is lowered', () => {
  const counted = { instants: [1_000, 2_000, 3_000], isRefusing: false };
  expect(countAttempt(LIMIT, counted, 3_000).verdict).toMatchObject({ retryAfterSeconds: 59 });
});
