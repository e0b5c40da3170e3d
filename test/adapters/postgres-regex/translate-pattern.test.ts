/** What patterns match without a database. The server test compares the same tables with PostgreSQL. */
import { describe, expect, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { CHARACTER_CASES } from './cases/character-cases.ts';
import { INVALID_CASES, UNTRANSLATABLE_CASES } from './cases/refusal-cases.ts';
import { STRUCTURE_CASES } from './cases/structure-cases.ts';

const MATCH_CASES = { ...CHARACTER_CASES, ...STRUCTURE_CASES };

describe.each(Object.entries(MATCH_CASES))('%s', (_topic, cases) => {
  test.each(cases)('%j matches %j and not %j', (pattern, matches, misses) => {
    const translated = translatePattern(pattern);
    expect(
      translated.ok && { matches: matches.filter(translated.value), misses: misses.filter(translated.value) },
    ).toStrictEqual({ matches, misses: [] });
  });
});

describe.each(Object.entries(INVALID_CASES))('refuses as PostgreSQL does: %s', (message, patterns) => {
  test.each(patterns)('%j', (pattern) => {
    expect(translatePattern(pattern)).toStrictEqual({
      ok: false,
      error: { kind: 'invalid', construct: expect.any(String), message },
    });
  });
});

describe.each(Object.entries(UNTRANSLATABLE_CASES))(
  'refuses what it cannot translate exactly, and names it: %s',
  (construct, patterns) => {
    test.each(patterns)('%j', (pattern) => {
      expect(translatePattern(pattern)).toStrictEqual({
        ok: false,
        error: {
          kind: 'untranslatable',
          construct,
          message: expect.stringContaining('cannot be evaluated in process'),
        },
      });
    });
  },
);

describe('a matcher', () => {
  test('answers the same when it is asked again, in any order', () => {
    const translated = translatePattern('(?<=a)b|^c(?!d)');
    const texts = ['ab', 'cd', 'c', 'bb', 'ab', 'c'];
    const answers = translated.ok
      ? [texts, texts.toReversed()].map((some) => some.map(translated.value))
      : [];
    expect(answers).toStrictEqual([
      [true, false, true, false, true, true],
      [true, true, false, true, false, true],
    ]);
  });

  test('forgets what it learned before it takes up too much memory', () => {
    // Each of the 2^16 ways in which the last characters can be a or b is a separate state.
    const translated = translatePattern('a[ab]{15}$');
    const word = (index: number): string =>
      index.toString(2).padStart(17, '0').replaceAll('0', 'a').replaceAll('1', 'b');
    const texts = Array.from({ length: 20_000 }, (_, index) => word(index * 6));
    expect(translated.ok && texts.filter(translated.value)).toStrictEqual(
      texts.filter((text) => text[1] === 'a'),
    );
  });

  test('answers for more characters than it keeps in memory', () => {
    const translated = translatePattern('^\\w$');
    const letters = Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    expect(translated.ok && letters.filter(translated.value)).toHaveLength(20_000);
  });
});

describe('patterns of any size are answered without exhausting the stack', () => {
  test.each([
    ['nested groups', `${'(?:'.repeat(50_000)}a${')'.repeat(50_000)}`, 'untranslatable'],
    ['nested lookaheads', `${'(?='.repeat(50_000)}a${')'.repeat(50_000)}`, 'untranslatable'],
    ['open parentheses', '('.repeat(100_000), 'invalid'],
    ['repetitions of repetitions', `${'('.repeat(300)}a${'){2}'.repeat(300)}`, 'untranslatable'],
    ['a long literal', 'a'.repeat(100_000), 'untranslatable'],
    ['many branches', 'a|'.repeat(100_000), 'untranslatable'],
  ])('%s', (_name, pattern, kind) => {
    const translated = translatePattern(pattern);
    expect(translated.ok || translated.error.kind).toStrictEqual(kind);
  });

  test('groups as deep as a thousand characters allow are matched', () => {
    const translated = translatePattern(`${'('.repeat(499)}a${')'.repeat(499)}`);
    expect(translated.ok && ['a', 'b'].map(translated.value)).toStrictEqual([true, false]);
  });

  test('a long literal of a thousand characters is matched', () => {
    const translated = translatePattern('ab'.repeat(500));
    expect(translated.ok && ['ab'.repeat(500), 'ab'.repeat(499)].map(translated.value)).toStrictEqual([
      true,
      false,
    ]);
  });
});
