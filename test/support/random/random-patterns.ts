/** Random regular expressions, made of substrings of device values or of any syntax of the dialect. */
import fc from 'fast-check';
import { patternSample } from '#test/adapters/postgres-regex/pattern-arbitrary.ts';
import { stretchOf } from './random-texts.ts';

/** Patterns, most of which match some of the texts. */
export function randomPattern(texts: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(stretchOf(texts), fc.constantFrom(...DISGUISES))
        .map(([stretch, disguise]) => Array.from(stretch, disguise).join('')),
    },
    { weight: 2, arbitrary: fc.constantFrom(...FRAGMENTS) },
  );
  return fc
    .oneof(
      {
        weight: 9,
        arbitrary: fc
          .tuple(
            fc.constantFrom('', '', '', '(?i)', '(?n)', '(?p)', '(?w)', '(?q)', '***:', '***='),
            fc.constantFrom('', '', '^', '\\A', '\\m', '\\y', '\\Y'),
            fc.array(piece, { minLength: 1, maxLength: 3 }),
            fc.constantFrom('', '', '$', '\\Z', '\\M', '\\y', '*', '+', '?', '{2}'),
          )
          .map(([option, start, pieces, end]) => cut(option + start + pieces.join('') + end)),
      },
      { weight: 1, arbitrary: patternSample.map(({ pattern }) => pattern) },
    )
    .filter(isQuick);
}

/** With repetition and back references, PostgreSQL takes minutes for a text of some thousand characters. */
function isQuick(pattern: string): boolean {
  return !(/\\[1-9]/.test(pattern) && /[*+{]/.test(pattern));
}

type Disguise = (character: string, index: number) => string;

/** Ways to write a character: patterns that match it alone or others, too. */
const DISGUISES: readonly Disguise[] = [
  escaped,
  escaped,
  (character, index) => (index % 2 === 0 ? escaped(character) : '.'),
  (character) => `[${bracketed(character)}x]`,
  (character) => `[^${bracketed(character)}]`,
  (character) => (/\d/.test(character) ? '\\d' : /\s/.test(character) ? '\\s' : '\\w'),
  (character) => `(${escaped(character)})?`,
  (character) => `(?:${escaped(character)}|z)+?`,
  (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  (character) => character.toUpperCase(),
];

const FRAGMENTS: readonly string[] = [
  ...['.', '.*', '.+', '\\d+', '\\w+', '\\s', '\\S', '\\D', '\\W', '|', '(a|b)', '(?=.)', '(?!a)', '(?<=.)'],
  ...[
    '[[:alpha:]]+',
    '[[:upper:]]',
    '[[:lower:]]',
    '[[:digit:]]',
    '[[:space:]]',
    '[[:punct:]]',
    '[a-z]',
    '[^a-z]',
  ],
  ...['(.)\\1', '[а-я]', '[α-ω]', '\\\\', '\\.', '%', '_', ''],
];

function escaped(character: string): string {
  return /^[\p{L}\p{N}]$/u.test(character) || character.codePointAt(0) === 0x5f || character > '\u007f'
    ? character
    : `\\${character}`;
}

function bracketed(character: string): string {
  return /^[\\\]^[-]$/.test(character) ? `\\${character}` : character;
}

/** Longer patterns are refused before any evaluation. */
function cut(pattern: string): string {
  return Array.from(pattern).slice(0, 200).join('');
}
