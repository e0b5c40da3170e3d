/** Tokens of POSIX basic patterns, which `(?b)` selects. */
import { atEnd, fail, type PatternScanner, sees, skipExpanded, takeCodePoint } from './pattern-scanner.ts';
import { assertionToken, characterToken, type PatternToken } from './pattern-token.ts';
import { scanBracketOpening } from './scan-bracket-token.ts';

/** Must not be at the end. */
export function scanBasicToken(scanner: PatternScanner): PatternToken {
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
