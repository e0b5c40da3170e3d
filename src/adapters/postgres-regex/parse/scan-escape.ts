/** Escapes of advanced patterns, in and outside brackets. */
import { atEnd, fail, type PatternScanner, takeCodePoint } from './pattern-scanner.ts';
import { assertionToken, characterToken, type PatternToken } from './syntax-options.ts';

const LAST_CODE = 0x7ffffffe;

/** PostgreSQL reads at most this many digits of a number without a fixed length. */
const MAX_DIGITS = 255;

/** Escapes with a fixed token. Unlike in JavaScript, `\b` is a backspace and `\B` a backslash. */
const PLAIN_ESCAPES: Readonly<Record<string, PatternToken>> = {
  a: characterToken(0x07),
  A: assertionToken('text-start'),
  b: characterToken(0x08),
  B: characterToken(0x5c),
  d: { kind: 'class', name: 'digit', negated: false },
  D: { kind: 'class', name: 'digit', negated: true },
  e: characterToken(0x1b),
  f: characterToken(0x0c),
  m: assertionToken('word-start'),
  M: assertionToken('word-end'),
  n: characterToken(0x0a),
  r: characterToken(0x0d),
  s: { kind: 'class', name: 'space', negated: false },
  S: { kind: 'class', name: 'space', negated: true },
  t: characterToken(0x09),
  v: characterToken(0x0b),
  w: { kind: 'class', name: 'word', negated: false },
  W: { kind: 'class', name: 'word', negated: true },
  y: assertionToken('word-boundary'),
  Y: assertionToken('not-word-boundary'),
  Z: assertionToken('text-end'),
};

/** The backslash is already read. The pattern must not end there. */
export function scanEscape(scanner: PatternScanner): PatternToken {
  const codePoint = takeCodePoint(scanner);
  const letter = String.fromCodePoint(codePoint);
  if (!/^[A-Za-z0-9]$/.test(letter)) return characterToken(codePoint);
  const plain = PLAIN_ESCAPES[letter];
  if (plain) return plain;
  switch (letter) {
    case 'c':
      return atEnd(scanner) ? fail(scanner, 'escape') : characterToken(takeCodePoint(scanner) & 0x1f);
    case 'u':
      return scanHexadecimal(scanner, 4, 4);
    case 'U':
      return scanHexadecimal(scanner, 8, 8);
    case 'x':
      return scanHexadecimal(scanner, 1, MAX_DIGITS);
    default:
      return letter >= '0' && letter <= '9' ? scanNumber(scanner) : fail(scanner, 'escape');
  }
}

function scanHexadecimal(scanner: PatternScanner, minDigits: number, maxDigits: number): PatternToken {
  const code = scanDigits(scanner, 16, minDigits, maxDigits);
  return code === undefined || code > LAST_CODE ? fail(scanner, 'escape') : characterToken(code);
}

/**
 * A number that does not begin with 0 is a back-reference if it is a single digit or at most the number of
 * groups opened so far. Otherwise up to three octal digits are read. The first digit is already read.
 */
function scanNumber(scanner: PatternScanner): PatternToken {
  const first = scanner.next - 1;
  scanner.next = first;
  const group = scanDigits(scanner, 10, 1, MAX_DIGITS) ?? 0;
  const isSingle = scanner.next === first + 1;
  const leadsWithZero = scanner.codePoints[first] === 0x30;
  if (!leadsWithZero && (isSingle || (group > 0 && group <= scanner.groupCount))) {
    return { kind: 'back-reference', group };
  }
  scanner.next = first;
  const code = scanDigits(scanner, 8, 1, 3);
  if (code === undefined) return fail(scanner, 'escape');
  if (code <= 0xff) return characterToken(code);
  scanner.next -= 1;
  return characterToken(code >> 3);
}

/** The value modulo 2^32, as in PostgreSQL; undefined with too few digits. */
function scanDigits(
  scanner: PatternScanner,
  base: number,
  minDigits: number,
  maxDigits: number,
): number | undefined {
  let value = 0;
  let count = 0;
  for (; count < maxDigits && !atEnd(scanner); count += 1) {
    const digit = Number.parseInt(String.fromCodePoint(scanner.codePoints[scanner.next] as number), base);
    if (Number.isNaN(digit)) break;
    scanner.next += 1;
    value = (Math.imul(value, base) + digit) >>> 0;
  }
  return count < minDigits ? undefined : value;
}
