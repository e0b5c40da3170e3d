/** Random patterns with back-references. */
import fc from 'fast-check';
import type { PatternSample } from './pattern-sample.ts';
import { optionalQuantifier } from './quantifier-arbitrary.ts';

const join = (parts: readonly string[]): string => parts.join('');

const shortText = fc
  .array(fc.constantFrom('a', 'a', 'b', 'ab', 'c'), { maxLength: 9 })
  .map((parts) => parts.join(''));

const { row } = fc.letrec<{ atom: string; row: string; rows: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: 'small' },
    {
      weight: 10,
      arbitrary: fc.tuple(fc.constantFrom('a', 'b', '.', '[ab]', 'c'), optionalQuantifier).map(join),
    },
    { weight: 5, arbitrary: fc.tuple(fc.constantFrom('\\1', '\\1', '\\2'), optionalQuantifier).map(join) },
    { weight: 5, arbitrary: tie('rows').map((body) => `(${body})`) },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('rows'), optionalQuantifier).map(([body, some]) => `(${body})${some}`),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(tie('rows'), optionalQuantifier).map(([body, some]) => `(?:${body})${some}`),
    },
    { weight: 1, arbitrary: fc.constantFrom('^', '$', '\\y', '(?=a)', '(?!b)', '(?<=b)') },
  ),
  row: fc.array(tie('atom'), { maxLength: 5 }).map(join),
  rows: fc.oneof(
    { weight: 4, arbitrary: tie('row') },
    { weight: 1, arbitrary: fc.tuple(tie('row'), tie('row')).map((both) => both.join('|')) },
  ),
}));

/** A group and pieces that may refer to it. The few patterns that can be evaluated in process are the delicate ones. */
const referring = fc
  .tuple(fc.constantFrom('(a)', '(.)', '([ab])', '(a*)', '(a+?)', '(a|ab)', '((a)b)'), row, fc.boolean())
  .map(([group, rest, anchored]) => (anchored ? `^${group}${rest}$` : `${group}${rest}`));

export const referringSample: fc.Arbitrary<PatternSample> = fc.record({
  pattern: referring,
  texts: fc.array(shortText, { minLength: 8, maxLength: 8 }),
});
