/** Random patterns and texts, of an alphabet so small that many texts match. */
import fc from 'fast-check';
import type { PatternSample } from './pattern-sample.ts';
import { quantifier } from './quantifier-arbitrary.ts';
import { referringSample } from './referring-arbitrary.ts';

/** Letters whose case is awkward, digits of other scripts, marks, white space, and what patterns are made of. */
const CHARACTERS = [
  ...'aaabbbcABC012_-.:,/ \n\t',
  ...'éÉßẞİıiIſsSKkK',
  ...'ΣςσЖжǅǆǄ',
  ...'٣৪²½😀👍',
  '\u0301',
  '\u00a0',
  '\u0345',
];

const METACHARACTERS = [...'^$*+?(){}[]|\\'];

const join = (parts: readonly string[]): string => parts.join('');

const character = fc.constantFrom(...CHARACTERS);

const text = fc.oneof(
  { weight: 5, arbitrary: fc.array(character, { maxLength: 8 }).map((parts) => parts.join('')) },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom('a', 'b', 'ab', 'c'), { maxLength: 9 })
      .map((parts) => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom(...CHARACTERS, ...METACHARACTERS), { maxLength: 8 })
      .map((parts) => parts.join('')),
  },
);

const escapeSequence = fc.constantFrom(
  ...[
    '\\d',
    '\\w',
    '\\s',
    '\\D',
    '\\W',
    '\\S',
    '\\a',
    '\\b',
    '\\B',
    '\\cA',
    '\\e',
    '\\f',
    '\\n',
    '\\r',
    '\\t',
  ],
  ...[
    '\\v',
    '\\x61',
    '\\x000000000000000061',
    '\\u00e9',
    '\\U0001F600',
    '\\0',
    '\\141',
    '\\60',
    '\\.',
    '\\-',
  ],
);

const assertion = fc.constantFrom('^', '$', '\\A', '\\Z', '\\m', '\\M', '\\y', '\\Y', '[[:<:]]', '[[:>:]]');

const className = fc.constantFrom(
  ...['alnum', 'alpha', 'ascii', 'blank', 'cntrl', 'digit', 'graph', 'lower', 'print', 'punct', 'space'],
  ...['upper', 'xdigit', 'word'],
);

const bracketPart = fc.oneof(
  { weight: 5, arbitrary: character.filter((one) => one !== '-') },
  { weight: 3, arbitrary: fc.tuple(character, character).map((ends) => ends.sort().join('-')) },
  { weight: 1, arbitrary: fc.tuple(character, character).map((ends) => ends.join('-')) },
  { weight: 2, arbitrary: className.map((name) => `[:${name}:]`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('[.a.]', '[=a=]', '[.hyphen.]', '[=K=]', '[.tab.]-[.z.]', '[.ab.]'),
  },
  { weight: 1, arbitrary: escapeSequence },
  { weight: 1, arbitrary: fc.constantFrom('-', '^', '\\]', '\\\\', '\\y', '[:foo:]') },
);

const bracket = fc
  .tuple(
    fc.constantFrom('', '', '^'),
    fc.constantFrom('', '', '', ']', '-'),
    fc.array(bracketPart, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '', '-'),
  )
  .map(([not, first, parts, last]) => `[${not}${first}${parts.join('')}${last}]`);

const { branches } = fc.letrec<{ atom: string; piece: string; branch: string; branches: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'ab', 'c', '.') },
    { weight: 3, arbitrary: character.map((one) => (one === '.' ? '\\.' : one)) },
    { weight: 2, arbitrary: bracket },
    { weight: 2, arbitrary: escapeSequence },
    { weight: 5, arbitrary: tie('branches').map((body) => `(${body})`) },
    { weight: 3, arbitrary: tie('branches').map((body) => `(?:${body})`) },
  ),
  piece: fc.oneof(
    { weight: 8, arbitrary: tie('atom') },
    { weight: 5, arbitrary: fc.tuple(tie('atom'), quantifier).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: assertion },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('=', '!', '<=', '<!'), tie('branches'))
        .map(([kind, body]) => `(?${kind}${body})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('\\1', '\\1', '\\1', '\\2', '\\3'), fc.option(quantifier, { nil: '' }))
        .map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.constantFrom('(?#note)', '{', '{,2}', '}') },
  ),
  branch: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
  branches: fc.oneof(
    { weight: 5, arbitrary: tie('branch') },
    { weight: 1, arbitrary: fc.tuple(tie('branch'), tie('branch')).map((both) => both.join('|')) },
  ),
}));

/** Well-formed except for back-references to no group, impossible ranges and the like. */
const structured = branches;

/** Fragments in any order: mostly faulty. */
const jumbled = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: character },
      { weight: 4, arbitrary: fc.constantFrom(...METACHARACTERS) },
      { weight: 1, arbitrary: fc.oneof(escapeSequence, assertion, bracket, quantifier) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '(?:',
          '(?=',
          '(?<!',
          '(?#',
          '[[',
          '[^',
          '[:',
          ':]',
          '\\12',
          '\\1',
          '\\x',
          '\\u00',
          '{1',
          '#',
          '***',
        ),
      },
    ),
    { maxLength: 8 },
  )
  .map((fragments) => fragments.join(''));

const prefix = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: fc.constantFrom(...'iinpwsxmctebq').map((option) => `(?${option})`) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom(...'bceimnpqstwxz'), { minLength: 2, maxLength: 4 })
      .map((all) => `(?${all.join('')})`),
  },
  { weight: 1, arbitrary: fc.constantFrom('***:', '***=', '***:(?i)', '***', '***?') },
);

/** A pattern, two times out of three one that PostgreSQL accepts, with texts it may match. */
export const patternSample: fc.Arbitrary<PatternSample> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      pattern: fc
        .tuple(prefix, fc.oneof({ weight: 5, arbitrary: structured }, { weight: 1, arbitrary: jumbled }))
        .map(join),
      texts: fc.array(text, { minLength: 6, maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: referringSample },
);
