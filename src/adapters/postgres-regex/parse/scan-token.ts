import { assertNever } from '#domain/assert-never.ts';
import {
  atEnd,
  fail,
  type PatternScanner,
  sees,
  skipExpanded,
  takeCodePoint,
  takes,
} from './pattern-scanner.ts';
import { scanBracketOpening, scanBracketToken } from './scan-bracket-token.ts';
import { scanEscape } from './scan-escape.ts';
import { assertionToken, characterToken, type PatternToken, type SyntaxOptions } from './syntax-options.ts';

/** Starts at `next`, after prefixes such as `***:`, and reads the first token. */
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

/** An unclosed comment runs to the end of the pattern. */
function skipComment(scanner: PatternScanner): boolean {
  if (!takes(scanner, '(?#')) return false;
  while (!atEnd(scanner) && takeCodePoint(scanner) !== 0x29);
  return true;
}

function scanQuantifier(scanner: PatternScanner, min: number, max: number): PatternToken {
  // A `?` that asks for the shortest match changes no answer, so it is skipped.
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

function scanBasicToken(scanner: PatternScanner): PatternToken {
  const previous = scanner.token;
  const opensBranch = previous.kind === 'start' || previous.kind === 'open';
  const codePoint = takeCodePoint(scanner);
  switch (String.fromCodePoint(codePoint)) {
    case '*':
      return opensBranch || isStartAnchor(previous)
        ? characterToken(codePoint)
        : { kind: 'quantifier', min: 0, max: Number.POSITIVE_INFINITY };
    case '[':
      return scanBracketOpening(scanner);
    case '.':
      return { kind: 'any-character' };
    case '^':
      if (!opensBranch) return characterToken(codePoint);
      return assertionToken(scanner.options.newlineAnchors ? 'line-start' : 'text-start');
    case '$':
      skipExpanded(scanner);
      if (!atEnd(scanner) && !sees(scanner, '\\)')) return characterToken(codePoint);
      return assertionToken(scanner.options.newlineAnchors ? 'line-end' : 'text-end');
    case '\\':
      return atEnd(scanner) ? fail(scanner, 'escape') : scanBasicEscape(takeCodePoint(scanner));
    default:
      return characterToken(codePoint);
  }
}

function isStartAnchor(token: PatternToken): boolean {
  return token.kind === 'assertion' && (token.assertion === 'text-start' || token.assertion === 'line-start');
}

function scanBasicEscape(codePoint: number): PatternToken {
  switch (String.fromCodePoint(codePoint)) {
    case '{':
      return { kind: 'bound' };
    case '(':
      return { kind: 'open', capturing: true };
    case ')':
      return { kind: 'close' };
    case '<':
      return assertionToken('word-start');
    case '>':
      return assertionToken('word-end');
    default: {
      const isGroup = codePoint >= 0x31 && codePoint <= 0x39;
      return isGroup ? { kind: 'back-reference', group: codePoint - 0x30 } : characterToken(codePoint);
    }
  }
}
