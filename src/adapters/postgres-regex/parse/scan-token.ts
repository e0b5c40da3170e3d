/** Reads a pattern token by token in its flavour. */
import { assertNever } from '#domain/assert-never.ts';
import { atEnd, fail, type PatternScanner, skipExpanded, takeCodePoint, takes } from './pattern-scanner.ts';
import { assertionToken, characterToken, type PatternToken } from './pattern-token.ts';
import { scanBasicToken } from './scan-basic-token.ts';
import { scanBracketOpening, scanBracketToken } from './scan-bracket-token.ts';
import { scanEscape } from './scan-escape.ts';
import type { SyntaxOptions } from './syntax-options.ts';

/** The prefixes are already read; the first token is read ahead. */
export function openScanner(
  codePoints: readonly number[],
  options: SyntaxOptions,
  next: number,
): PatternScanner {
  const scanner: PatternScanner = {
    codePoints,
    options,
    next,
    token: { kind: 'start' },
    inBracket: false,
    groupCount: 0,
    refusal: undefined,
  };
  advance(scanner);
  return scanner;
}

/** After a fault the token stays `end`. */
export function advance(scanner: PatternScanner): void {
  const token = scanner.refusal ? END : scanToken(scanner);
  scanner.token = scanner.refusal ? END : token;
}

const END: PatternToken = { kind: 'end' };

function scanToken(scanner: PatternScanner): PatternToken {
  const { flavour } = scanner.options;
  if (scanner.inBracket) return scanBracketToken(scanner);
  switch (flavour) {
    case 'literal':
      return atEnd(scanner) ? END : characterToken(takeCodePoint(scanner));
    case 'basic':
      skipExpanded(scanner);
      return atEnd(scanner) ? END : scanBasicToken(scanner);
    case 'extended':
    case 'advanced':
      return scanExtendedToken(scanner, flavour === 'advanced');
    default:
      return assertNever(flavour);
  }
}

function scanExtendedToken(scanner: PatternScanner, advanced: boolean): PatternToken {
  do skipExpanded(scanner);
  while (advanced && skipComment(scanner));
  if (atEnd(scanner)) return END;
  const codePoint = takeCodePoint(scanner);
  switch (String.fromCodePoint(codePoint)) {
    case '|':
      return { kind: 'alternation' };
    case '*':
      return scanQuantifier(scanner, 0, Number.POSITIVE_INFINITY);
    case '+':
      return scanQuantifier(scanner, 1, Number.POSITIVE_INFINITY);
    case '?':
      return scanQuantifier(scanner, 0, 1);
    case '{':
      skipExpanded(scanner);
      return isDigit(scanner.codePoints[scanner.next]) ? { kind: 'bound' } : characterToken(codePoint);
    case '(':
      return advanced && takes(scanner, '?') ? scanSpecialGroup(scanner) : { kind: 'open', capturing: true };
    case ')':
      return { kind: 'close' };
    case '[':
      return scanBracketOpening(scanner);
    case '.':
      return { kind: 'any-character' };
    case '^':
      return assertionToken(scanner.options.newlineAnchors ? 'line-start' : 'text-start');
    case '$':
      return assertionToken(scanner.options.newlineAnchors ? 'line-end' : 'text-end');
    case '\\':
      if (atEnd(scanner)) return fail(scanner, 'escape');
      return advanced ? scanEscape(scanner) : characterToken(takeCodePoint(scanner));
    default:
      return characterToken(codePoint);
  }
}

/** Without a closing parenthesis the comment runs to the end. */
function skipComment(scanner: PatternScanner): boolean {
  if (!takes(scanner, '(?#')) return false;
  while (!atEnd(scanner) && takeCodePoint(scanner) !== 0x29);
  return true;
}

function scanQuantifier(scanner: PatternScanner, min: number, max: number): PatternToken {
  // A second `?` asks for the shortest match, which makes no difference here.
  if (scanner.options.flavour === 'advanced') takes(scanner, '?');
  return { kind: 'quantifier', min, max };
}

function scanSpecialGroup(scanner: PatternScanner): PatternToken {
  if (takes(scanner, ':')) return { kind: 'open', capturing: false };
  if (takes(scanner, '=')) return { kind: 'open-look', direction: 'ahead', negated: false };
  if (takes(scanner, '!')) return { kind: 'open-look', direction: 'ahead', negated: true };
  if (takes(scanner, '<=')) return { kind: 'open-look', direction: 'behind', negated: false };
  if (takes(scanner, '<!')) return { kind: 'open-look', direction: 'behind', negated: true };
  return fail(scanner, 'quantifier');
}

function isDigit(codePoint: number | undefined): boolean {
  return codePoint !== undefined && codePoint >= 0x30 && codePoint <= 0x39;
}
