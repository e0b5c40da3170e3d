/** The failed requests that are retried, and when. */
import { expect, test } from 'vitest';
import { ApiError } from '#console/api/http.ts';
import { isTriedAgain, pauseBeforeRetry } from '#console/parts/feedback/connection.ts';

const anError = (status: number, retryAfter: number | null = null) =>
  new ApiError({ status, code: 'some', detail: 'Some.', retryAfter });

test.each([
  ['out of reach', anError(0), true],
  ['overloaded', anError(503), true],
  ['refused for two seconds', anError(429, 2), true],
  ['refused for a minute, which is told', anError(429, 60), false],
  ['not allowed', anError(403), false],
  ['no answer of the API', new Error('of the page'), false],
])('%s', (_, error, isAgain) => {
  expect(isTriedAgain(0, error)).toBe(isAgain);
  expect(isTriedAgain(2, error)).toBe(false);
});

test('waits as the server asks, otherwise longer each time', () => {
  expect(pauseBeforeRetry(0, anError(503, 2))).toBe(2_000);
  expect(pauseBeforeRetry(1, anError(503, 2))).toBe(2_000);
  expect([0, 1].map((failures) => pauseBeforeRetry(failures, anError(503)))).toStrictEqual([1_000, 2_000]);
});
