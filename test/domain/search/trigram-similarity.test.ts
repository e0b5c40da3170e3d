/** Similarities as pg_trgm counts them; each was asked of it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { similarityTo } from '#domain/search/similar-hit.ts';

test.each<[string, string, number]>([
  ['word', 'word', 1],
  ['WORD', 'word', 1],
  ['word', 'two words', 4 / 11],
  ['printer', 'printre', 5 / 11],
  ['prnt', 'print', 3 / 8],
  ['desktop-7f3a9', 'desktop 7f3a9', 1],
  ['7f3a9 desktop', 'desktop-7f3a9', 1],
  ['aaa', 'aaaaa', 1],
  ['abc', 'xyz', 0],
  ['', 'abc', 0],
  ['---', '---', 0],
  ['a', 'a', 1],
  ['über', 'ÜBER', 1],
])('%j and %j: %d', (one, other, expected) => {
  expect(similarityTo(one)(other)).toBeCloseTo(expected, 10);
  expect(similarityTo(other)(one)).toBe(similarityTo(one)(other));
});

test('is between 0 and 1, and 1 of a text that has words with itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
      const similarity = similarityTo(one)(other);
      expect(similarity).toBeGreaterThanOrEqual(0);
      expect(similarity).toBeLessThanOrEqual(1);
      expect([0, 1]).toContain(similarityTo(one)(one));
    }),
  );
});
