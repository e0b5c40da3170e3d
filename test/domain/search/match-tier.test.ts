/** How well a title answers a search (Contract: §6). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMatchTier, MATCH_TIERS } from '#domain/search/search-hit.ts';

const { exact, prefix, wordStart, elsewhere } = MATCH_TIERS;

test('there are four tiers, in this order', () => {
  expect(Object.entries(MATCH_TIERS).sort(([, a], [, b]) => a - b)).toStrictEqual([
    ['exact', 0],
    ['prefix', 1],
    ['wordStart', 2],
    ['elsewhere', 3],
  ]);
});

describe('a folded title', () => {
  test.each([
    ['srv', 'srv', exact],
    ['-', '-', exact],
    ['srv-01', 'srv', prefix],
    ['srvsrv', 'srv', prefix],
    // A later word start does not make it worse.
    ['srv srv', 'srv', prefix],
    ['my srv', 'srv', wordStart],
    ['mysrv', 'srv', elsewhere],
    // Not the first, but another occurrence begins a word.
    ['mysrv srv', 'srv', wordStart],
    ['mysrvsrv', 'srv', elsewhere],
    ['aaab-aab', 'aab', wordStart],
    // Occurrences that overlap: the second begins a word.
    ['x-a-a-b', '-a-b', elsewhere],
    ['xa a a', 'a a', wordStart],
    ['a-b', '-b', elsewhere],
    ['a -b', '-b', wordStart],
    ['other', 'srv', elsewhere],
    ['', 'srv', elsewhere],
    ['sr', 'srv', elsewhere],
    ['s rv', 'srv', elsewhere],
  ])('%j has %j in tier %d', (title, text, tier) => {
    expect(findMatchTier(title, text)).toBe(tier);
  });

  test.each([...['a', '0', 'é', 'ß', 'ж', 'ς', '中', 'ي', '٣', '²', 'ⅷ', 'ª', '𝒳', '𐐨', 'का', '한', 'ʰ']])(
    'matches within a word if %j is before the match',
    (before) => {
      expect(findMatchTier(`${before}srv`, 'srv')).toBe(elsewhere);
      expect(findMatchTier(`-${before}srv`, 'srv')).toBe(elsewhere);
    },
  );

  test.each([
    ...[' ', '-', '_', '.', '\\', '/', '%', '(', "'", '"', '\t', '\n', '\u00a0', '\u0001', '’', '–', '。'],
    ...['€', '😀', '🖨️', '👩‍💻', '\u200d', '\u200f', '\u{10ffff}', '\uffff'],
  ])('matches the beginning of a word if %j is before the match', (before) => {
    expect(findMatchTier(`${before}srv`, 'srv')).toBe(wordStart);
    expect(findMatchTier(`a${before}srv`, 'srv')).toBe(wordStart);
  });
});

/** Looks at the character before each occurrence. */
function tierByLooking(title: string, text: string): number {
  const places = Array.from({ length: title.length + 1 }, (_, at) => at).filter((at) =>
    title.startsWith(text, at),
  );
  if (title === text) return exact;
  if (places.includes(0)) return prefix;
  const before = places.map((at) => Array.from(title.slice(0, at)).at(-1) ?? '');
  return before.some((character) => !/^[\p{Alphabetic}\p{N}]$/u.test(character)) ? wordStart : elsewhere;
}

test('any title and text get the tier that a plain search finds', () => {
  const someText = fc.string({ unit: fc.constantFrom('a', 'b', '-', ' ', '😀', '𝒳'), maxLength: 8 });
  fc.assert(
    fc.property(someText, someText, (title, text) => {
      fc.pre(text !== '');
      expect(findMatchTier(title, text)).toBe(tierByLooking(title, text));
    }),
    { numRuns: 5_000 },
  );
});
