/** Word similarities as pg_trgm counts them; `word-similarity.pg.test.ts` compares with pg_trgm itself. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordSimilarityTo } from '#domain/search/similar-hit.ts';

test.each<[string, string, number]>([
  ['word', 'word', 1],
  ['WORD', 'word', 1],
  ['word', 'two words', 4 / 5],
  ['two words', 'word', 4 / 10],
  ['printre', 'my printer is on', 5 / 8],
  ['desktop-7f3a9', 'desktop 7f3a9', 1],
  ['7f3a9 desktop', 'desktop-7f3a9', 1],
  ['aaa', 'aaaaa', 1],
  ['abc', 'xyz', 0],
  ['', 'abc', 0],
  ['---', '---', 0],
  ['a', 'a', 1],
  ['über', 'ÜBER', 1],
  ['ransomwere', 'Ransomware behaviour blocked', 7 / 11],
  ['fireall', 'Firewall switched off', 6 / 11],
  ['spooller', 'Clear the print spooler', 7 / 10],
])('the similarity of %j in %j is %d', (text, other, expected) => {
  expect(wordSimilarityTo(text)(other)).toBeCloseTo(expected, 10);
});

test('the similarity is between 0 and 1, and that of a text with itself is 0 or 1', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const similarity = wordSimilarityTo(one)(other);
      expect(similarity).toBeGreaterThanOrEqual(0);
      expect(similarity).toBeLessThanOrEqual(1);
      expect([0, 1]).toContain(wordSimilarityTo(one)(one));
    }),
  );
});
