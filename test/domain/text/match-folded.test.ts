/** Case-insensitive matching gives the same as folding both texts and comparing. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containsFolded, endsWithFolded, foldCase, startsWithFolded } from '#domain/text/fold-case.ts';

const EVERY_CHARACTER = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code));
const FOLD_TO_ASCII = EVERY_CHARACTER.filter((character) => foldCase(character) < '\x80');
const FOLDED_ASCII = EVERY_CHARACTER.slice(0, 128).filter((character) => foldCase(character) === character);

describe('a character', () => {
  test.each(FOLDED_ASCII.map((folded) => ({ folded, name: JSON.stringify(folded) })))(
    '$name is found exactly in the characters that fold to it',
    ({ folded }) => {
      const candidates = [...EVERY_CHARACTER.slice(0, 0x300), ...FOLD_TO_ASCII];
      expect(candidates.filter(containsFolded(folded))).toStrictEqual(
        candidates.filter((character) => foldCase(character) === folded),
      );
    },
  );

  test('beyond ASCII folds into ASCII only if it is the dotted capital I or the Kelvin sign', () => {
    expect(FOLD_TO_ASCII.filter((character) => character >= '\x80')).toStrictEqual(['İ', '\u212A']);
  });
});

const CHARACTERS = ['a', 'A', 'k', 'K', '\u212A', 'i', 'I', 'İ', 'ı', 'ſ', 's', 'Σ', 'ς', 'σ', 'ß', 'É', 'é'];
const SPECIAL = ['.', '*', '\\', '[', ']', '^', '$', '-', '(', '|', '/', '\n', '\u2028', '𝔸', '\ud835'];
const someText = fc.string({ unit: fc.constantFrom(...CHARACTERS, ...SPECIAL), maxLength: 6 });

describe('any text', () => {
  test.each([
    { name: 'contains', make: containsFolded, meaning: (text: string, part: string) => text.includes(part) },
    {
      name: 'starts with',
      make: startsWithFolded,
      meaning: (text: string, part: string) => text.startsWith(part),
    },
    { name: 'ends with', make: endsWithFolded, meaning: (text: string, part: string) => text.endsWith(part) },
  ])('$name another if and only if their folded texts do', ({ make, meaning }) => {
    fc.assert(
      fc.property(someText, someText, (text, part) => {
        const folded = foldCase(part);
        expect(make(folded)(text)).toBe(meaning(foldCase(text), folded));
      }),
      { numRuns: 5_000 },
    );
  });

  test('contains, starts with and ends with parts of itself in any case', () => {
    fc.assert(
      fc.property(someText, someText, someText, (before, part, after) => {
        const folded = foldCase(part);
        const upper = part.toUpperCase();
        // Upper case may be longer (ß) or another letter; then the texts differ.
        fc.pre(foldCase(upper) === folded);
        expect(containsFolded(folded)(before + upper + after)).toBe(true);
        expect(startsWithFolded(folded)(upper + after)).toBe(true);
        expect(endsWithFolded(folded)(before + upper)).toBe(true);
      }),
    );
  });
});
