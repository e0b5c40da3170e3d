import { classMembers } from '#adapters/postgres-regex/characters/character-class.ts';
import type { CharacterSet } from '#adapters/postgres-regex/characters/character-set.ts';
import {
  type Assertion,
  type LookDirection,
  type PatternItem,
  type PatternReading,
  readPattern,
} from '#adapters/postgres-regex/pattern-item.ts';
import { assertNever } from '#domain/assert-never.ts';

/** Answers as PostgreSQL does, if {@link refuseBackReferences} does not refuse the pattern. */
export function emitExpression(items: readonly PatternItem[], referenced: ReadonlySet<number>): RegExp {
  // Groups get names, because unreferenced groups are not captured and numbers would shift. Sets and
  // assertions already express the flags `i`, `m` and `s`.
  return new RegExp(readPattern(items, new Emission(referenced)), 'u');
}

class Emission implements PatternReading<string> {
  readonly #referenced: ReadonlySet<number>;

  constructor(referenced: ReadonlySet<number>) {
    this.#referenced = referenced;
  }

  characters(set: CharacterSet): string {
    return emitSet(set);
  }

  empty(): string {
    return '';
  }

  assertion(assertion: Assertion): string {
    return emitAssertion(assertion);
  }

  backReference(group: number): string {
    return `\\k<g${group}>`;
  }

  concatenate(parts: readonly string[]): string {
    return parts.join('');
  }

  alternate(branches: readonly string[]): string {
    return branches.join('|');
  }

  group(capture: number | undefined, body: string): string {
    return capture !== undefined && this.#referenced.has(capture) ? `(?<g${capture}>${body})` : `(?:${body})`;
  }

  repeat(min: number, max: number, body: string): string {
    return `(?:${body}){${min},${max === Number.POSITIVE_INFINITY ? '' : max}}`;
  }

  look(direction: LookDirection, negated: boolean, body: string): string {
    return `(?${direction === 'behind' ? '<' : ''}${negated ? '!' : '='}${body})`;
  }
}

function emitSet(set: CharacterSet): string {
  let ranges = '';
  for (let at = 0; at < set.length; at += 2) ranges += `${emitCode(set[at])}-${emitCode(set[at + 1])}`;
  return `[${ranges}]`;
}

function emitCode(codePoint: number | undefined): string {
  return `\\u{${(codePoint ?? 0).toString(16)}}`;
}

function emitAssertion(assertion: Assertion): string {
  switch (assertion) {
    case 'text-start':
      return '^';
    case 'text-end':
      return '$';
    case 'line-start':
      return '(?<![^\\n])';
    case 'line-end':
      return '(?![^\\n])';
    case 'word-start':
      return beside(false, true);
    case 'word-end':
      return beside(true, false);
    case 'word-boundary':
      return `(?:${beside(false, true)}|${beside(true, false)})`;
    case 'not-word-boundary':
      return `(?:${beside(true, true)}|${beside(false, false)})`;
    default:
      return assertNever(assertion);
  }
}

function beside(wordBefore: boolean, wordAfter: boolean): string {
  const word = emitSet(classMembers('word', false));
  return `(?<${wordBefore ? '=' : '!'}${word})(?${wordAfter ? '=' : '!'}${word})`;
}
