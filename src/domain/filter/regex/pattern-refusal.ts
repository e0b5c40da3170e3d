/** Why a pattern is not evaluated: PostgreSQL refuses it too, or only this translation does. */

/** invalid: PostgreSQL itself would refuse it; untranslatable: valid there, but not exact here. */
export interface PatternRefusal {
  readonly kind: 'invalid' | 'untranslatable';
  /** What part of the pattern language it is about, for example `character range`. */
  readonly construct: string;
  /** For `invalid` PostgreSQL's own reason; for `untranslatable` a sentence for a person. */
  readonly message: string;
}

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
