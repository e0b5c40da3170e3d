/**
 * The 24 operators reduce to these predicates, which are all false for a missing value. Negative operators set
 * `isNegated` on the criterion, so the complement law holds by construction (Contract: §4). Predicates are grouped by
 * what they read, so a list is never asked for a range.
 */
import type { InnerFilter } from '#domain/filter/catalog/inner-filters.ts';
import type { InstantRange, NumberRange, VersionRange } from '#domain/filter/values/ranges.ts';
import type { TimeSpan } from '#domain/filter/values/time-span.ts';

/** Tests a string field, or one row of a field with several rows. */
export type TextPredicate =
  | Present
  | TextIn
  | TextLike
  /** A regular expression in PostgreSQL's dialect. */
  | { readonly kind: 'pattern'; readonly pattern: string };

interface Present {
  readonly kind: 'present';
}

interface TextIn {
  readonly kind: 'textIn';
  readonly values: ReadonlySet<string>;
}

/** Tests a version by its `versionKey`. */
export type VersionPredicate =
  | Present
  | TextIn
  | { readonly kind: 'versionRange'; readonly range: VersionRange };

/** For a single value. */
export type ValuePredicate =
  | TextPredicate
  | { readonly kind: 'numberIn'; readonly values: ReadonlySet<number> }
  | { readonly kind: 'numberRange'; readonly range: NumberRange }
  | VersionPredicate
  | { readonly kind: 'booleanIs'; readonly value: boolean }
  | { readonly kind: 'instantIn'; readonly ranges: readonly InstantRange[] }
  /** An instant in the future also matches. */
  | { readonly kind: 'withinLast'; readonly span: TimeSpan }
  /** 3 means from 3 to less than 4 days ago; 2.5 means exactly 2.5 days ago. */
  | { readonly kind: 'elapsedDaysIn'; readonly values: ReadonlySet<number> }
  /** Days since the instant, with fractions: 36 hours are 1.5. */
  | { readonly kind: 'elapsedDaysRange'; readonly range: NumberRange };

/** For lists, which are never missing: a device without elements has an empty one. */
export type ListPredicate =
  | { readonly kind: 'hasAny'; readonly values: ReadonlySet<string> }
  | { readonly kind: 'hasAll'; readonly values: ReadonlySet<string> }
  | { readonly kind: 'empty' };

/** For names of software or patches. Case is ignored. */
export type NamePredicate =
  /** At least one name is among the values. */
  | { readonly kind: 'foldedTextIn'; readonly values: ReadonlySet<string> }
  /** Each value is among the names. */
  | { readonly kind: 'hasAllFolded'; readonly values: ReadonlySet<string> }
  | TextLike;

/** The folded text contains `folded` at `position`. */
export interface TextLike {
  readonly kind: 'textLike';
  readonly position: TextPosition;
  readonly folded: string;
}

/** Where a text must contain `folded`. */
export type TextPosition = 'anywhere' | 'start' | 'end';

export interface InnerPredicate {
  readonly kind: 'matchesAny';
  /** Null if the conditions of the filters are unknown (`InnerField.inner`). */
  readonly filters: readonly InnerFilter[] | null;
}

/** All predicates are false for a missing value. */
export type Predicate = ValuePredicate | ListPredicate | NamePredicate | InnerPredicate;

/** The evaluator and the PostgreSQL compiler handle every kind. */
export type PredicateKind = Predicate['kind'];
