/**
 * The port through which the evaluator gets its regular expressions. The dialect of `matches` is PostgreSQL's
 * (Contract: §4), which is a technology and not a rule of ours, so an engine for it is passed in
 * (`src/adapters/postgres-regex`).
 */
import type { Result } from '#domain/result.ts';

/** Whether the pattern matches anywhere in the text, which is well-formed Unicode. */
export type PatternMatcher = (text: string) => boolean;

/** Why a pattern is not evaluated: PostgreSQL refuses it too, or only this engine does. */
export interface PatternRefusal {
  /** invalid: PostgreSQL itself would refuse it; untranslatable: valid there, but not exact here. */
  readonly kind: 'invalid' | 'untranslatable';
  /** What part of the pattern language it is about, for example `character range`. */
  readonly construct: string;
  /** For `invalid` PostgreSQL's own reason; for `untranslatable` a sentence for a person. */
  readonly message: string;
}

/** A matcher that agrees with PostgreSQL on every text, or a refusal; it never guesses. */
export type TranslatePattern = (pattern: string) => Result<PatternMatcher, PatternRefusal>;
