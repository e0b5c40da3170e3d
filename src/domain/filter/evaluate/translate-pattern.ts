/**
 * The port for regular expressions. `matches` uses PostgreSQL's dialect (Contract: §4), so the engine is passed in
 * (`src/adapters/postgres-regex`).
 */
import type { Result } from '#domain/result.ts';

/** Whether the pattern matches anywhere in the text, which must be well-formed Unicode. */
export type PatternMatcher = (text: string) => boolean;

/** Why a pattern is refused. */
export interface PatternRefusal {
  /**
   * invalid: PostgreSQL refuses it as well; untranslatable: PostgreSQL accepts it, but this engine would not be
   * exact.
   */
  readonly kind: 'invalid' | 'untranslatable';
  /** The construct at fault, such as `character range`. */
  readonly construct: string;
  /** PostgreSQL's reason for `invalid`; a sentence for `untranslatable`. */
  readonly message: string;
}

/** A matcher that agrees with PostgreSQL on every text, or a refusal. */
export type TranslatePattern = (pattern: string) => Result<PatternMatcher, PatternRefusal>;
