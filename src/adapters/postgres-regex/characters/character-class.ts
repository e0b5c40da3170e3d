import { type CharacterSet, rangeSet, setOf, uniteSets } from './character-set.ts';
import {
  ALPHABETIC_RANGES,
  GRAPHIC_RANGES,
  LOWERCASE_RANGES,
  PUNCTUATION_RANGES,
  TO_LOWERCASE_RUNS,
  TO_UPPERCASE_RUNS,
  UPPERCASE_RANGES,
} from './unicode-tables.ts';

export type CharacterClass = keyof typeof CLASSES;

export function isCharacterClass(name: string): name is CharacterClass {
  return Object.hasOwn(CLASSES, name);
}

/** If case is ignored, `upper` and `lower` mean any letter. */
export function classMembers(name: CharacterClass, ignoreCase: boolean): CharacterSet {
  const effective = ignoreCase && (name === 'upper' || name === 'lower') ? 'alpha' : name;
  const known = members.get(effective) ?? CLASSES[effective]();
  members.set(effective, known);
  return known;
}

const members = new Map<CharacterClass, CharacterSet>();

/** In C.UTF-8, as in POSIX, only ASCII digits are digits, even in `alnum` and `word`. */
const DIGITS = rangeSet(0x30, 0x39);

const SPACES: CharacterSet = [
  0x09, 0x0d, 0x20, 0x20, 0x85, 0x85, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f,
  0x202f, 0x205f, 0x205f, 0x3000, 0x3000,
];

/** `SPACES` without the control characters, the line separator and the paragraph separator. */
const PRINTING_SPACES: CharacterSet = [
  0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000,
];

const CLASSES = {
  alnum: () => uniteSets([decodeRanges(ALPHABETIC_RANGES), DIGITS]),
  alpha: () => decodeRanges(ALPHABETIC_RANGES),
  ascii: () => rangeSet(0, 0x7f),
  blank: () => setOf([0x09, 0x20]),
  cntrl: () => uniteSets([rangeSet(0, 0x1f), rangeSet(0x7f, 0x9f)]),
  digit: () => DIGITS,
  graph: () => decodeRanges(GRAPHIC_RANGES),
  lower: () => decodeRanges(LOWERCASE_RANGES),
  print: () => uniteSets([decodeRanges(GRAPHIC_RANGES), PRINTING_SPACES]),
  punct: () => decodeRanges(PUNCTUATION_RANGES),
  space: () => SPACES,
  upper: () => decodeRanges(UPPERCASE_RANGES),
  word: () => uniteSets([decodeRanges(ALPHABETIC_RANGES), DIGITS, setOf([0x5f])]),
  xdigit: () => uniteSets([DIGITS, rangeSet(0x41, 0x46), rangeSet(0x61, 0x66)]),
} satisfies Record<string, () => CharacterSet>;

function decodeRanges(text: string): CharacterSet {
  const ranges: number[] = [];
  let next = 0;
  for (const range of text.trim().split(/\s+/)) {
    const [gap = 0, more = 0] = range.split('.').map((digits) => Number.parseInt(digits, 36));
    ranges.push(next + gap, next + gap + more);
    next += gap + more + 1;
  }
  return ranges;
}

// Collating elements: the characters that `[[.name.]]` and `[[=name=]]` can name. Each is a single character.

export function findCollatingElement(name: readonly number[]): number | undefined {
  const [only] = name;
  if (name.length === 1) return only;
  // All names are ASCII; `fromCharCode` would cut larger numbers to 16 bits.
  if (name.some((codePoint) => codePoint > 0x7f)) return undefined;
  return ELEMENTS.get(String.fromCharCode(...name));
}

/** An entry names consecutive characters, starting at `from`; a slash separates aliases. Letters need no names. */
const NAMES: readonly (readonly [from: number, names: string])[] = [
  [0x00, 'NUL SOH STX ETX EOT ENQ ACK BEL/alert'],
  [0x08, 'BS/backspace HT/tab LF/newline VT/vertical-tab FF/form-feed CR/carriage-return SO SI'],
  [0x10, 'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC IS4/FS IS3/GS IS2/RS IS1/US'],
  [0x20, 'space exclamation-mark quotation-mark number-sign dollar-sign percent-sign ampersand apostrophe'],
  [0x28, 'left-parenthesis right-parenthesis asterisk plus-sign'],
  [0x2c, 'comma hyphen/hyphen-minus period/full-stop slash/solidus'],
  [0x30, 'zero one two three four five six seven eight nine'],
  [0x3a, 'colon semicolon less-than-sign equals-sign greater-than-sign question-mark commercial-at'],
  [0x5b, 'left-square-bracket backslash/reverse-solidus right-square-bracket'],
  [0x5e, 'circumflex/circumflex-accent underscore/low-line grave-accent'],
  [0x7b, 'left-brace/left-curly-bracket vertical-line right-brace/right-curly-bracket tilde DEL'],
];

const ELEMENTS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap(([from, names]) =>
    names.split(' ').flatMap((aliases, i) => aliases.split('/').map((name) => [name, from + i] as const)),
  ),
);

// Case follows PostgreSQL's builtin C.UTF-8 locale, which maps one character to one. JavaScript's `i` flag
// would also let ſ and s match each other.

export function caseVariants(codePoint: number): CharacterSet {
  // The letter itself is not added: PostgreSQL's `(?i)ǅ` matches Ǆ and ǆ but not ǅ.
  const { lower, upper } = caseMappings();
  return setOf([lower.get(codePoint) ?? codePoint, upper.get(codePoint) ?? codePoint]);
}

export function rangeWithCaseVariants(first: number, last: number): CharacterSet {
  const { lower, upper } = caseMappings();
  const variants: number[] = [];
  for (const mapping of [lower, upper]) {
    for (const [from, to] of mapping) if (first <= from && from <= last) variants.push(to);
  }
  return uniteSets([rangeSet(first, last), setOf(variants)]);
}

interface CaseMappings {
  readonly lower: ReadonlyMap<number, number>;
  readonly upper: ReadonlyMap<number, number>;
}

let decoded: CaseMappings | undefined;

/** Few patterns ignore case, so mappings are decoded on first use. */
function caseMappings(): CaseMappings {
  decoded ??= { lower: decodeRuns(TO_LOWERCASE_RUNS), upper: decodeRuns(TO_UPPERCASE_RUNS) };
  return decoded;
}

function decodeRuns(text: string): Map<number, number> {
  const mapping = new Map<number, number>();
  let start = 0;
  for (const run of text.trim().split(/\s+/)) {
    const [advance = 0, shift = 0, count = 1, stride = 1] = run
      .split('.')
      .map((digits) => Number.parseInt(digits, 36));
    start += advance;
    for (let index = 0; index < count; index += 1) {
      const from = start + index * stride;
      mapping.set(from, from + shift);
    }
  }
  return mapping;
}
