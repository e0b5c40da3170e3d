/** Messages of refused patterns: PostgreSQL's or this translation's. */
import type { PatternRefusal } from '#domain/filter/evaluate/translate-pattern.ts';

export type FaultyConstruct = keyof typeof REASONS;

/** PostgreSQL's words after `invalid regular expression: ` (error 2201B). */
const REASONS = {
  'back-reference': 'invalid backreference number',
  braces: 'braces {} not balanced',
  brackets: 'brackets [] not balanced',
  'character class': 'invalid character class',
  'character range': 'invalid character range',
  'collating element': 'invalid collating element',
  'embedded option': 'invalid embedded option',
  escape: 'invalid escape \\ sequence',
  parentheses: 'parentheses () not balanced',
  prefix: 'invalid regexp (reg version 0.8)',
  quantifier: 'quantifier operand invalid',
  'repetition count': 'invalid repetition count(s)',
} as const;

export function invalidPattern(construct: FaultyConstruct): PatternRefusal {
  return { kind: 'invalid', construct, message: REASONS[construct] };
}

/** `message` says in one sentence what cannot be done and why. */
export function untranslatablePattern(construct: string, message: string): PatternRefusal {
  return { kind: 'untranslatable', construct, message };
}
