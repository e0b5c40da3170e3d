/** Characters that `[[.name.]]` and `[[=name=]]` can name. PostgreSQL has no multi-character elements. */

/** Undefined if PostgreSQL does not know the name. */
export function findCollatingElement(name: readonly number[]): number | undefined {
  const [only] = name;
  if (name.length === 1) return only;
  // PostgreSQL accepts code numbers beyond Unicode, but no name contains one.
  if (name.some((codePoint) => codePoint > 0x7f)) return undefined;
  return ELEMENTS.get(String.fromCharCode(...name));
}

/** POSIX portable character names by code point from 0, one line per row of ASCII. */
const NAMES_FROM_ZERO = [
  ['NUL', 'SOH', 'STX', 'ETX', 'EOT', 'ENQ', 'ACK', 'BEL alert'],
  [
    'BS backspace',
    'HT tab',
    'LF newline',
    'VT vertical-tab',
    'FF form-feed',
    'CR carriage-return',
    'SO',
    'SI',
  ],
  ['DLE', 'DC1', 'DC2', 'DC3', 'DC4', 'NAK', 'SYN', 'ETB'],
  ['CAN', 'EM', 'SUB', 'ESC', 'IS4 FS', 'IS3 GS', 'IS2 RS', 'IS1 US'],
  ['space', 'exclamation-mark', 'quotation-mark', 'number-sign'],
  ['dollar-sign', 'percent-sign', 'ampersand', 'apostrophe'],
  ['left-parenthesis', 'right-parenthesis', 'asterisk', 'plus-sign'],
  ['comma', 'hyphen hyphen-minus', 'period full-stop', 'slash solidus'],
  ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  [
    'colon',
    'semicolon',
    'less-than-sign',
    'equals-sign',
    'greater-than-sign',
    'question-mark',
    'commercial-at',
  ],
].flat();

/** Letters stand for themselves and have no other name. */
const NAMES_ELSEWHERE: readonly (readonly [number, string])[] = [
  [0x5b, 'left-square-bracket'],
  [0x5c, 'backslash reverse-solidus'],
  [0x5d, 'right-square-bracket'],
  [0x5e, 'circumflex circumflex-accent'],
  [0x5f, 'underscore low-line'],
  [0x60, 'grave-accent'],
  [0x7b, 'left-brace left-curly-bracket'],
  [0x7c, 'vertical-line'],
  [0x7d, 'right-brace right-curly-bracket'],
  [0x7e, 'tilde'],
  [0x7f, 'DEL'],
];

const ELEMENTS: ReadonlyMap<string, number> = new Map(
  [...NAMES_FROM_ZERO.entries(), ...NAMES_ELSEWHERE].flatMap(([codePoint, names]) =>
    names.split(' ').map((name) => [name, codePoint] as const),
  ),
);
