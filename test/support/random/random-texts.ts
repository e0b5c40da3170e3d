/**
 * Random texts of a small alphabet, so that filters match devices: letters with awkward case, the syntax of LIKE, SQL,
 * JSON and arrays, combining marks, and characters beyond the basic plane.
 */
import fc from 'fast-check';

/** Names of devices and values of filters. */
export const WORDS: readonly string[] = [
  ...['', ' ', 'a', 'A', 'b', 'ab', 'AB', 'aB', 'srv', 'SRV', 'Srv-01', 'srv-01', 'srv_01', 'null', 'NULL'],
  ...['5', '1.5', '0.0000001', '-1', '2026', 'true', '2026-02-10', '2026-02-10T08:00:00Z', 'now'],
  ...['straße', 'STRASSE', 'STRAẞE', 'İstanbul', 'istanbul', 'ISTANBUL', 'ıstanbul', 'ſet', 'set', 'SET'],
  ...['Kelvin', '\u212Aelvin', 'kelvin', 'ΟΔΟΣ', 'οδος', 'οδοσ', 'Σ', 'σ', 'ς', 'Ж', 'ж', 'жЖ'],
  ...['caf\u00E9', 'cafe\u0301', 'CAF\u00C9', 'CAFE\u0301', '\u00C5', '\u212B', 'å', 'ǅ', 'ǆ', 'Ω', '\u2126'],
  ...[
    '%',
    '_',
    '\\',
    '%%',
    'a%b',
    'a_b',
    'a\\b',
    '\\%',
    '100%',
    'C:\\x\\',
    "'",
    "''",
    '"',
    '`',
    '$1',
    '?',
    '--',
  ],
  ...['{', '}', '{a,b}', ',', '"a"', '[', '(', '/*', ';', '\\.', '.*', '^a$', 'a|b', 'E\\n', '\\N'],
  ...['😀', '👩‍💻', '𝒳', '\u{10FFFF}', '\uFFFF', '\uFEFF', '\u200D', '\u00AD', '\u0345', 'e\u0345'],
  ...[
    '\t',
    '\n',
    '\r\n',
    'a\nb',
    '\u0001',
    '\u001F',
    '\u007F',
    '\u0085',
    '\u00A0',
    '\u2028',
    ' a',
    'a ',
    ' a ',
  ],
];

const word = fc.constantFrom(...WORDS);

/** Any text that can be stored, including long texts. */
export const randomText: fc.Arbitrary<string> = fc.oneof(
  { weight: 60, arbitrary: word },
  { weight: 25, arbitrary: fc.array(word, { minLength: 2, maxLength: 4 }).map((words) => words.join('')) },
  { weight: 12, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map(withoutNul) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(word, fc.integer({ min: 50, max: 300 }), word)
      .map(([repeated, times, end]) => repeated.repeat(times) + end),
  },
);

/** A text that is almost one of these: in another case or form, or with more, fewer or other characters. */
export function nearTextOf(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...texts), fc.constantFrom(...CHANGES), fc.nat({ max: 999 }), word)
    .map(([text, change, at, other]) => change(Array.from(text), at, other).join(''));
}

/** A substring of one of the texts. */
export function stretchOf(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...texts), fc.nat({ max: 999 }), fc.integer({ min: 1, max: 6 }))
    .map(([text, at, length]) => {
      const characters = Array.from(text);
      const from = at % (characters.length + 1);
      return characters.slice(from, from + length).join('');
    });
}

type Change = (text: readonly string[], at: number, other: string) => readonly string[];

const CHANGES: readonly Change[] = [
  (text) => text.map((character) => character.toUpperCase()),
  (text) => text.map((character) => character.toLowerCase()),
  (text, at) => replaceAt(text, at, swapCase),
  (text) => [text.join('').normalize('NFC')],
  (text) => [text.join('').normalize('NFD')],
  (text) => [text.join('').trim()],
  (text, at) => text.slice(0, at % (text.length + 1)),
  (text, at) => text.slice(at % (text.length + 1)),
  (text, at) => text.toSpliced(at % (text.length + 1), 1),
  (text, _at, other) => [...text, other],
  (text, _at, other) => [other, ...text],
  (text, at, other) => replaceAt(text, at, () => other),
  (text, at, other) => text.toSpliced(at % (text.length + 1), 0, other),
];

function replaceAt(text: readonly string[], at: number, change: (character: string) => string) {
  return text.map((character, i) => (i === at % text.length ? change(character) : character));
}

function swapCase(character: string): string {
  return character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
}

/** Removes NUL, which no text of the service contains. */
function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '');
}
