/** Which texts a search accepts (Spec: Limits; Contract: §6). */
import { describe, expect, test } from 'vitest';
import { err, ok } from '#domain/result.ts';
import { parseSearchText } from '#domain/search/search-hit.ts';

const WHITE_SPACE =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

describe('the text', () => {
  test.each([
    ['a', 'a'],
    [' a ', 'a'],
    [' a  b ', 'a  b'],
    ['a\nb', 'a\nb'],
    [`${WHITE_SPACE}a${WHITE_SPACE}`, 'a'],
    [`a${WHITE_SPACE}b${WHITE_SPACE}`, `a${WHITE_SPACE}b`],
    ['\ufeffa\ufeff', 'a'],
    // Neither character is white space, although both are invisible.
    ['\u200b', '\u200b'],
    ['\u200d', '\u200d'],
    ['%_\\', '%_\\'],
    ['\u0001', '\u0001'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['🦊'.repeat(100), '🦊'.repeat(100)],
    [` ${'🦊'.repeat(100)}\n`, '🦊'.repeat(100)],
    [' '.repeat(100_000).concat('a', ' '.repeat(100_000)), 'a'],
  ])('%j is taken', (given, text) => {
    expect(parseSearchText(given)).toStrictEqual(ok(text));
  });

  test.each([
    [undefined, 'q is required: the text to search for, 1 to 100 characters'],
    [null, 'q must be a string of 1 to 100 characters'],
    [5, 'q must be a string of 1 to 100 characters'],
    [['a'], 'q must be a string of 1 to 100 characters'],
    ['', 'q must have 1 to 100 characters after trimming; it has 0'],
    [WHITE_SPACE, 'q must have 1 to 100 characters after trimming; it has 0'],
    [' '.repeat(100_000), 'q must have 1 to 100 characters after trimming; it has 0'],
    ['x'.repeat(101), 'q must have 1 to 100 characters after trimming; it has 101'],
    ['🦊'.repeat(101), 'q must have 1 to 100 characters after trimming; it has 101'],
    [`a${' '.repeat(99)}b`, 'q must have 1 to 100 characters after trimming; it has 101'],
    ['a\u0000b', 'q must not contain a NUL character (U+0000)'],
    ['\u0000', 'q must not contain a NUL character (U+0000)'],
    ['a\ud835', 'q must not contain an unpaired surrogate'],
  ])('%j is refused with a reason', (given, reason) => {
    expect(parseSearchText(given)).toStrictEqual(err(reason));
  });
});
