/** The place in a pattern that is being read, and the first fault found there. */
import { classMembers } from '#adapters/postgres-regex/characters/character-class.ts';
import { includesCodePoint } from '#adapters/postgres-regex/characters/character-set.ts';
import { type FaultyConstruct, invalidPattern } from '#adapters/postgres-regex/pattern-refusal.ts';
import type { PatternRefusal } from '#domain/filter/evaluate/translate-pattern.ts';
import type { PatternToken } from './pattern-token.ts';
import type { SyntaxOptions } from './syntax-options.ts';

/** Reading state; one token is always read ahead, as PostgreSQL does, so that the same fault comes first. */
export interface PatternScanner {
  readonly codePoints: readonly number[];
  readonly options: SyntaxOptions;
  /** Index of the next code point to read. */
  next: number;
  /** The token read ahead. */
  token: PatternToken;
  inBracket: boolean;
  /** Capturing groups opened so far: it decides whether `\12` is a back-reference or an octal number. */
  groupCount: number;
  refusal: PatternRefusal | undefined;
}

/** Whether the pattern is read up. */
export function atEnd(scanner: PatternScanner): boolean {
  return scanner.next >= scanner.codePoints.length;
}

/** Whether `text` (ASCII) comes next. */
export function sees(scanner: PatternScanner, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (scanner.codePoints[scanner.next + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Reads `text` if it comes next. */
export function takes(scanner: PatternScanner, text: string): boolean {
  const taken = sees(scanner, text);
  if (taken) scanner.next += text.length;
  return taken;
}

/** Reads one code point; only where the pattern is not at its end. */
export function takeCodePoint(scanner: PatternScanner): number {
  const codePoint = scanner.codePoints[scanner.next];
  if (codePoint === undefined) throw new Error('read past the end of a pattern');
  scanner.next += 1;
  return codePoint;
}

/** Records a fault unless one is known already; the answer is the token that goes with it. */
export function fail(scanner: PatternScanner, construct: FaultyConstruct): PatternToken {
  scanner.refusal ??= invalidPattern(construct);
  return { kind: 'end' };
}

/** Skips white space and comments where the pattern has the expanded syntax. */
export function skipExpanded(scanner: PatternScanner): void {
  if (!scanner.options.expanded) return;
  for (;;) {
    while (isSpace(scanner.codePoints[scanner.next])) scanner.next += 1;
    if (!sees(scanner, '#')) return;
    while (!atEnd(scanner) && !sees(scanner, '\n')) scanner.next += 1;
  }
}

/** White space in the sense of `\s`, not of ASCII. */
function isSpace(codePoint: number | undefined): boolean {
  return codePoint !== undefined && includesCodePoint(classMembers('space', false), codePoint);
}
