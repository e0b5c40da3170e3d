/** Texts that a pattern demands: they are found if they are easy to see, and every match contains them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requiredTexts } from '#adapters/postgres/reads/sql/conditions/required-texts.ts';

const start = (...texts: string[]) => ({ position: 'start', texts, other: null });
const anywhere = (...texts: string[]) => ({ position: 'anywhere', texts, other: null });
const withOther = (other: string, required: ReturnType<typeof start>) => ({ ...required, other });

describe('a pattern demands', () => {
  test.each([
    ['^srv-(sql|db)-[a-z]+-0[0-9]{2}$', withOther('-0', start('srv-sql-', 'srv-db-'))],
    ['^Web', start('Web')],
    ['^we?b-01', anywhere('b-01')],
    ['^web+1', start('web')],
    ['^w+eb', anywhere('eb')],
    ['^(?:a|b)(c|d)e', start('ace', 'ade', 'bce', 'bde')],
    ['^a.bcd', anywhere('bcd')],
    ['[0-9]-prod-\\d', anywhere('-prod-')],
    ['ab.cde[fg]hi', withOther('ab', anywhere('cde'))],
    ['^ab.cd.efg.(h|i)jkl', withOther('efg', start('ab'))],
    ['^ab.cd?efg*h', withOther('ef', start('ab'))],
    ['1\\.2\\.3', anywhere('1.2.3')],
    ['ab{2}', null],
    ['abc{2}', anywhere('ab')],
    ['abc{2,}?d', anywhere('ab')],
    ['(ab|c)de', anywhere('abde', 'cde')],
    ['(ab|)de', anywhere('abde', 'de')],
    ['(ab|cd)*ef', anywhere('ef')],
    ['abc$', anywhere('abc')],
    ['abc[|]', anywhere('abc')],
    ['abc(?=d)', anywhere('abc')],
    ['🖨️ab?', anywhere('🖨️a')],
  ])('%s', (pattern, required) => {
    expect(requiredTexts(pattern)).toStrictEqual(required);
  });

  test.each([
    'a',
    'a|bcd',
    'abc|bcd',
    '^abc|^bcd',
    'abc(d|e',
    '(?i)abc',
    '***=abc',
    '[abc]+',
    '\\mabc',
    '(a|b|c|d|e|f|g|h|i)',
    '',
    '^',
  ])('nothing that is easy to see: %s', (pattern) => {
    expect(requiredTexts(pattern)).toBeNull();
  });
});

/** Pieces of patterns that mean the same in JavaScript. */
const PIECE = fc.constantFrom(
  ...[
    'a',
    'b',
    'A',
    '-',
    'ab',
    '.',
    '\\.',
    '\\d',
    '[ab]',
    '[^a]',
    '[a-b0]',
    '(a|b)',
    '(?:ab|b)',
    '(a|)',
    '(a.|b)',
  ],
  ...['?', '*', '+', '{2}', '{0,1}', '{1,}', '+?', '^', '$', '|', '(?=a)', '(?!b)', '((a)b)', '\\-'],
);
const PATTERN = fc
  .tuple(fc.boolean(), fc.array(PIECE, { maxLength: 6 }))
  .map(([isAnchored, pieces]) => `${isAnchored ? '^' : ''}${pieces.join('')}`)
  .filter((pattern) => {
    try {
      return new RegExp(pattern, 'su').test('') || true;
    } catch {
      return false;
    }
  });
const TEXT = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '-', '0'), maxLength: 5 });

test('every match has one of the required texts, and the other one', () => {
  let demanding = 0;
  fc.assert(
    fc.property(PATTERN, fc.array(TEXT, { minLength: 100, maxLength: 100 }), (pattern, texts) => {
      const required = requiredTexts(pattern);
      if (required === null) return;
      for (const text of texts) {
        if (!new RegExp(pattern, 'su').test(text)) continue;
        demanding++;
        const has = (each: string) =>
          required.position === 'start' ? text.startsWith(each) : text.includes(each);
        expect(required.texts.some(has), `${pattern} matches ${text}`).toBe(true);
        if (required.other !== null) expect(text, pattern).toContain(required.other);
      }
    }),
    { numRuns: 3_000 },
  );
  expect(demanding).toBeGreaterThan(150);
});
