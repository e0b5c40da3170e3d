/**
 * What a condition asks of a field once its operator and value have been understood. The 24 operators come down
 * to these few questions, each positive: false for a missing value. A negative operator is a question with
 * `isNegated` on its condition, so that the complement law holds by construction (Contract: §4).
 *
 * Both evaluators, the in-process one and the PostgreSQL compiler, are total over this union.
 */
import type { InstantRange } from '#domain/filter/values/instant-range.ts';
import type { NumberRange } from '#domain/filter/values/number-range.ts';
import type { TimeSpan } from '#domain/filter/values/time-span.ts';

export type Predicate =
  /** The value is there. */
  | { readonly kind: 'present' }
  /** The text is exactly one of these. */
  | { readonly kind: 'textIn'; readonly values: ReadonlySet<string> }
  /** The folded text is one of these, which are folded (software titles). */
  | { readonly kind: 'foldedTextIn'; readonly values: ReadonlySet<string> }
  /** The folded text has `folded` at the place that `position` says. */
  | { readonly kind: 'textLike'; readonly position: TextPosition; readonly folded: string }
  /** The text matches a PostgreSQL regular expression. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'numberIn'; readonly values: ReadonlySet<number> }
  | { readonly kind: 'numberRange'; readonly range: NumberRange }
  | { readonly kind: 'booleanIs'; readonly value: boolean }
  | { readonly kind: 'instantIn'; readonly ranges: readonly InstantRange[] }
  /** The instant is at or after the evaluation minus the span; the future is within. */
  | { readonly kind: 'withinLast'; readonly span: TimeSpan }
  /** Whole days elapsed since the instant, or their exact fraction where the value has one. */
  | { readonly kind: 'elapsedDaysIn'; readonly values: ReadonlySet<number> }
  /** The exact days elapsed since the instant. */
  | { readonly kind: 'elapsedDaysRange'; readonly range: NumberRange }
  /** The list shares an element with these. */
  | { readonly kind: 'hasAny'; readonly values: ReadonlySet<string> }
  /** The list has every one of these. */
  | { readonly kind: 'hasAll'; readonly values: ReadonlySet<string> }
  /** Some row's folded text is each of these, which are folded (software titles). */
  | { readonly kind: 'hasAllFolded'; readonly values: ReadonlySet<string> }
  /** The list has no element. */
  | { readonly kind: 'empty' };

export type TextPosition = 'anywhere' | 'start' | 'end';

export type PredicateKind = Predicate['kind'];
