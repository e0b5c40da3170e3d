/**
 * What a condition asks of a field once its operator and value have been understood. The 24 operators come down
 * to these few predicates, each positive: false for a missing value. A negative operator is a predicate with
 * `isNegated` on its criterion, so that the complement law holds by construction (Contract: §4).
 *
 * They are grouped by what they read, so that no list can be asked for a range nor a number for its elements. Both
 * evaluators, the in-process one and the PostgreSQL compiler, are total over each group.
 */
import type { InstantRange } from '#domain/filter/values/instant-range.ts';
import type { NumberRange } from '#domain/filter/values/number-range.ts';
import type { TimeSpan } from '#domain/filter/values/time-span.ts';

/** Asked of a text: the value of a string field, or each row of a field that has several, which are all texts. */
export type TextPredicate =
  /** The value is there. */
  | { readonly kind: 'present' }
  /** The text is exactly one of these. */
  | { readonly kind: 'textIn'; readonly values: ReadonlySet<string> }
  | TextLike
  /** The text matches a PostgreSQL regular expression. */
  | { readonly kind: 'pattern'; readonly pattern: string };

/** Asked of a single value. */
export type ValuePredicate =
  | TextPredicate
  | { readonly kind: 'numberIn'; readonly values: ReadonlySet<number> }
  | { readonly kind: 'numberRange'; readonly range: NumberRange }
  | { readonly kind: 'booleanIs'; readonly value: boolean }
  | { readonly kind: 'instantIn'; readonly ranges: readonly InstantRange[] }
  /** The instant is at or after the evaluation minus the span; the future is within. */
  | { readonly kind: 'withinLast'; readonly span: TimeSpan }
  /** Whole days elapsed since the instant, or their exact fraction where the value has one. */
  | { readonly kind: 'elapsedDaysIn'; readonly values: ReadonlySet<number> }
  /** The exact days elapsed since the instant. */
  | { readonly kind: 'elapsedDaysRange'; readonly range: NumberRange };

/** Asked of a list as a whole; a device without elements has an empty one. */
export type ListPredicate =
  /** The list shares an element with these. */
  | { readonly kind: 'hasAny'; readonly values: ReadonlySet<string> }
  /** The list has every one of these. */
  | { readonly kind: 'hasAll'; readonly values: ReadonlySet<string> }
  /** The list has no element. */
  | { readonly kind: 'empty' };

/** Asked of the names of installed software, which are compared folded. */
export type SoftwarePredicate =
  /** Some name is one of these, which are folded. */
  | { readonly kind: 'foldedTextIn'; readonly values: ReadonlySet<string> }
  /** Each of these, which are folded, is some name. */
  | { readonly kind: 'hasAllFolded'; readonly values: ReadonlySet<string> }
  | TextLike;

/** The folded text has `folded` at the place that `position` says. */
export interface TextLike {
  readonly kind: 'textLike';
  readonly position: TextPosition;
  readonly folded: string;
}

/** Where a text has to contain another. */
export type TextPosition = 'anywhere' | 'start' | 'end';

/** What is asked of a value, a list, or the names of software; false where there is none. */
export type Predicate = ValuePredicate | ListPredicate | SoftwarePredicate;

/** Its discriminant; both evaluators are total over it. */
export type PredicateKind = Predicate['kind'];
