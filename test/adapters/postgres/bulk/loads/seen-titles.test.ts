/** A load notes each title once for its organization. */
import { expect, test } from 'vitest';
import { SeenTitles } from '#adapters/postgres/bulk/loads/seen-titles.ts';
import { newId } from '#test/support/builders.ts';

const [mine, theirs] = [newId<'organization'>(), newId<'organization'>()];

const PLACE = { line: 1, member: 'device' };

test('each title is new to an organization once', () => {
  const seen = new SeenTitles();
  expect(seen.takeNew(mine, [1, 31, 32, 63], PLACE)).toStrictEqual([1, 31, 32, 63]);
  expect(seen.takeNew(mine, [1, 2, 32, 33, 100_000], PLACE)).toStrictEqual([2, 33, 100_000]);
  expect(seen.takeNew(mine, [1, 2, 31, 33, 63, 64, 100_000], PLACE)).toStrictEqual([64]);
  expect(seen.takeNew(theirs, [1, 100_000], PLACE)).toStrictEqual([1, 100_000]);
  expect(seen.isComplete).toBe(true);
});

test('the last place with a new title is remembered', () => {
  const seen = new SeenTitles();
  seen.takeNew(mine, [1, 2], { line: 3, member: 'device' });
  seen.takeNew(mine, [2, 3], { line: 5, member: 'device' });
  seen.takeNew(mine, [1, 3], { line: 7, member: 'device' });
  expect([...seen.places]).toStrictEqual([[mine, { line: 5, member: 'device' }]]);
});

test('beyond 32 MiB of bits, seen titles are forgotten and noted again', () => {
  const seen = new SeenTitles();
  const last = 32 * 2 ** 20 * 8;
  expect(seen.takeNew(mine, [1], PLACE)).toStrictEqual([1]);
  expect(seen.isComplete).toBe(true);
  expect(seen.takeNew(theirs, [1, last], PLACE)).toStrictEqual([1, last]);
  expect(seen.isComplete).toBe(false);
  expect(seen.takeNew(mine, [1], PLACE)).toStrictEqual([1]);
  expect(seen.takeNew(mine, [1], PLACE)).toStrictEqual([]);
});
