/** A failed erasure is set aside for longer each time, and never given up. */
import { expect, test } from 'vitest';
import { nextErasureAttempt } from '#domain/deletion/deletion-request.ts';

test.each([
  [1, 60_000],
  [2, 300_000],
  [3, 1_800_000],
  [4, 7_200_000],
  [5, 21_600_000],
  [6, 21_600_000],
  [1000, 21_600_000],
])('after failure %i, the erasure is tried again %i ms later', (failures, delayMs) => {
  expect(nextErasureAttempt(failures, 5)).toBe(5 + delayMs);
});
