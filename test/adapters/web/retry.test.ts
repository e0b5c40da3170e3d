/** The failed requests that are retried, and when. */
import { expect, test } from 'vitest';
import { ApiError } from '#console/api/http.ts';
import { isTriedAgain, pauseBeforeRetry } from '#console/parts/feedback/connection.ts';

const anError = (status: number, retryAfter: number | null = null) =>
  new ApiError({ status, code: 'some', detail: 'Some.', retryAfter });

test.each([
  ['retried if the server is out of reach', anError(0), true],
  ['retried if the server is overloaded', anError(503), true],
  ['retried if it is refused for two seconds', anError(429, 2), true],
  ['not retried if it is refused for a minute', anError(429, 60), false],
  ['not retried if it is not allowed', anError(403), false],
  ['not retried if the failure is none of the API', new Error('of the page'), false],
])('a request is %s', (_, error, isAgain) => {
  expect(isTriedAgain(0, error)).toBe(isAgain);
  expect(isTriedAgain(2, error)).toBe(false);
});

test('a retry waits as long as the server asks, otherwise longer each time', () => {
  expect(pauseBeforeRetry(0, anError(503, 2))).toBe(2_000);
  expect(pauseBeforeRetry(1, anError(503, 2))).toBe(2_000);
  expect([0, 1].map((failures) => pauseBeforeRetry(failures, anError(503)))).toStrictEqual([1_000, 2_000]);
});
