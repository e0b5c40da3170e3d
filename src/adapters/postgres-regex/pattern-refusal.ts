/** The words in which patterns are refused: PostgreSQL's own, or this translation's. */
import type { PatternRefusal } from '#domain/filter/evaluate/translate-pattern.ts';

/** The constructs PostgreSQL can find fault with. */
export type FaultyConstruct = keyof typeof REASONS;

/** PostgreSQL's wording, what follows `invalid regular expression: ` in its error 2201B. */
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

/** A refusal in PostgreSQL's own words. */
export function invalidPattern(construct: FaultyConstruct): PatternRefusal {
  return { kind: 'invalid', construct, message: REASONS[construct] };
}

/** A refusal of this translation's own; `message` says what cannot be done and why, in one sentence. */
export function untranslatablePattern(construct: string, message: string): PatternRefusal {
  return { kind: 'untranslatable', construct, message };
}
