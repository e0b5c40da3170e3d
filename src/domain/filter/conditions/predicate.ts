/**
 * What a condition asks of a field. The 24 operators reduce to these predicates, which are all false for a missing
 * value. Negative operators set `isNegated` on the criterion, so the complement law holds by construction (Contract:
 * §4).
 * Predicates are grouped by what they read, so a list is never asked for a range. Both evaluators are total over each
 * group.
 */
import type { InstantRange, NumberRange } from '#domain/filter/values/ranges.ts';
import type { TimeSpan } from '#domain/filter/values/time-span.ts';

/** On a text: the value of a string field, or each row of a field with several. */
export type TextPredicate =
  /** The value exists. */
  | { readonly kind: 'present' }
  /** Equals one of the values. */
  | { readonly kind: 'textIn'; readonly values: ReadonlySet<string> }
  | TextLike
  /** Matches a PostgreSQL regular expression. */
  | { readonly kind: 'pattern'; readonly pattern: string };

/** On a single value. */
export type ValuePredicate =
  | TextPredicate
  | { readonly kind: 'numberIn'; readonly values: ReadonlySet<number> }
  | { readonly kind: 'numberRange'; readonly range: NumberRange }
  | { readonly kind: 'booleanIs'; readonly value: boolean }
  | { readonly kind: 'instantIn'; readonly ranges: readonly InstantRange[] }
  /** At or after the evaluation minus the span; the future counts as within. */
  | { readonly kind: 'withinLast'; readonly span: TimeSpan }
  /** Whole days elapsed since the instant; exact fractions where the value has a fraction. */
  | { readonly kind: 'elapsedDaysIn'; readonly values: ReadonlySet<number> }
  /** Exact days elapsed since the instant. */
  | { readonly kind: 'elapsedDaysRange'; readonly range: NumberRange };

/** On a list as a whole; a device without elements has an empty list. */
export type ListPredicate =
  /** Shares an element with the values. */
  | { readonly kind: 'hasAny'; readonly values: ReadonlySet<string> }
  /** Contains all values. */
  | { readonly kind: 'hasAll'; readonly values: ReadonlySet<string> }
  | { readonly kind: 'empty' };

/** On the names of installed software. Values are folded, and names are compared folded. */
export type SoftwarePredicate =
  /** Some name equals one of the values. */
  | { readonly kind: 'foldedTextIn'; readonly values: ReadonlySet<string> }
  /** Every value equals some name. */
  | { readonly kind: 'hasAllFolded'; readonly values: ReadonlySet<string> }
  | TextLike;

/** The folded text contains `folded` at `position`. */
export interface TextLike {
  readonly kind: 'textLike';
  readonly position: TextPosition;
  readonly folded: string;
}

/** Where the text must contain another. */
export type TextPosition = 'anywhere' | 'start' | 'end';

/** False where the value is missing. */
export type Predicate = ValuePredicate | ListPredicate | SoftwarePredicate;

/** Both evaluators are total over it. */
export type PredicateKind = Predicate['kind'];
