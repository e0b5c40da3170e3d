import { classMembers } from '#adapters/postgres-regex/characters/character-class.ts';
import { includesCodePoint } from '#adapters/postgres-regex/characters/character-set.ts';
import { type FaultyConstruct, invalidPattern } from '#adapters/postgres-regex/pattern-item.ts';
import type { PatternRefusal } from '#domain/filter/evaluate/compile-predicate.ts';
import type { PatternToken, SyntaxOptions } from './syntax-options.ts';

/** `token` is read one ahead, as in PostgreSQL, so that the first fault found is the same. */
export interface PatternScanner {
  readonly codePoints: readonly number[];
  readonly options: SyntaxOptions;
  next: number;
  token: PatternToken;
  inBracket: boolean;
  /** Capturing groups opened so far decide whether `\12` is a back-reference or octal. */
  groupCount: number;
  refusal: PatternRefusal | undefined;
}

export function atEnd(scanner: PatternScanner): boolean {
  return scanner.next >= scanner.codePoints.length;
}

export function sees(scanner: PatternScanner, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (scanner.codePoints[scanner.next + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

export function takes(scanner: PatternScanner, text: string): boolean {
  const taken = sees(scanner, text);
  if (taken) scanner.next += text.length;
  return taken;
}

export function takeCodePoint(scanner: PatternScanner): number {
  const codePoint = scanner.codePoints[scanner.next];
  if (codePoint === undefined) throw new Error('read past the end of a pattern');
  scanner.next += 1;
  return codePoint;
}

/** Keeps only the first fault. Returns the `end` token, because the parser reads no further. */
export function fail(scanner: PatternScanner, construct: FaultyConstruct): PatternToken {
  scanner.refusal ??= invalidPattern(construct);
  return { kind: 'end' };
}

export function skipExpanded(scanner: PatternScanner): void {
  if (!scanner.options.expanded) return;
  for (;;) {
    while (isSpace(scanner.codePoints[scanner.next])) scanner.next += 1;
    if (!sees(scanner, '#')) return;
    while (!atEnd(scanner) && !sees(scanner, '\n')) scanner.next += 1;
  }
}

/** Includes spaces beyond ASCII, as `\s` does. */
function isSpace(codePoint: number | undefined): boolean {
  return codePoint !== undefined && includesCodePoint(classMembers('space', false), codePoint);
}
