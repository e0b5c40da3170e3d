import { expect, test } from 'vitest';
import { ExpectedTimes } from '#application/admission/expected-times.ts';

test('nothing is expected of what has not come before', () => {
  expect(new ExpectedTimes().get({})).toBeUndefined();
});

test('a shorter time counts at once, and a longer one a little', () => {
  const times = new ExpectedTimes();
  const [key, other] = [{}, {}];
  for (const ms of [8, 2, 34]) times.note(key, ms);
  expect(times.get(key)).toBe(3);
  times.note(key, 1);
  expect(times.get(key)).toBe(1);
  expect(times.get(other)).toBeUndefined();
});

test('one very long time does not count for more than as much again', () => {
  const times = new ExpectedTimes();
  const key = {};
  for (const ms of [0.5, 10_000]) times.note(key, ms);
  expect(times.get(key)).toBe(1);
});

test('what has become slow is soon expected to be', () => {
  const times = new ExpectedTimes();
  const key = {};
  times.note(key, 0.1);
  for (let i = 0; i < 50; i++) times.note(key, 70);
  expect(times.get(key)).toBeGreaterThan(50);
});
