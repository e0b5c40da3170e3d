/** The named classes: `[[:alpha:]]` and others, and `\d`, `\s` and `\w`. */
import { type CharacterSet, rangeSet, setOf, uniteSets } from './character-set.ts';
import {
  ALPHABETIC_RANGES,
  GRAPHIC_RANGES,
  LOWERCASE_RANGES,
  PUNCTUATION_RANGES,
  UPPERCASE_RANGES,
} from './unicode-tables.ts';

/** Names are case-sensitive. */
export type CharacterClass = keyof typeof CLASSES;

export function isCharacterClass(name: string): name is CharacterClass {
  return Object.hasOwn(CLASSES, name);
}

/** Ignoring case, `upper` and `lower` mean any letter. */
export function classMembers(name: CharacterClass, ignoreCase: boolean): CharacterSet {
  const effective = ignoreCase && (name === 'upper' || name === 'lower') ? 'alpha' : name;
  const known = members.get(effective) ?? CLASSES[effective]();
  members.set(effective, known);
  return known;
}

const members = new Map<CharacterClass, CharacterSet>();

/** ASCII digits only, also in alnum and word: the locale follows POSIX here. */
const DIGITS = rangeSet(0x30, 0x39);

const SPACES: CharacterSet = [
  0x09, 0x0d, 0x20, 0x20, 0x85, 0x85, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f,
  0x202f, 0x205f, 0x205f, 0x3000, 0x3000,
];

/** Without control characters and line and paragraph separators. */
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
