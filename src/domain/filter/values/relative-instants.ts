/** Predicates relative to now as plain ranges of instants, for both evaluators. */
import { assertNever } from '#domain/assert-never.ts';
import type { Predicate, ValuePredicate } from '#domain/filter/conditions/predicate.ts';
import type { EpochMs } from '#domain/time.ts';
import { instantsOfElapsedDays, instantsOfElapsedRange } from './elapsed-days.ts';
import { type InstantRange, mergeRanges } from './instant-range.ts';
import { startOfSpan } from './time-span.ts';

/** Predicates that depend on the instant of evaluation. */
export type RelativePredicate = Extract<
  ValuePredicate,
  { kind: 'withinLast' | 'elapsedDaysIn' | 'elapsedDaysRange' }
>;

/** Whether the predicate depends on the instant of evaluation. */
export function isRelativePredicate({ kind }: Predicate): boolean {
  return kind in RELATIVE_KINDS;
}

const RELATIVE_KINDS: Readonly<Record<RelativePredicate['kind'], true>> = {
  withinLast: true,
  elapsedDaysIn: true,
  elapsedDaysRange: true,
};

/** The matching instants for an evaluation at `at`. */
export function rangesAt(predicate: RelativePredicate, at: EpochMs): readonly InstantRange[] {
  switch (predicate.kind) {
    case 'withinLast':
      return [{ from: startOfSpan(predicate.span, at), to: null }];
    case 'elapsedDaysIn':
      return mergeRanges(instantsOfElapsedDays(predicate.values, at));
    case 'elapsedDaysRange':
      return mergeRanges([instantsOfElapsedRange(predicate.range, at)]);
    default:
      return assertNever(predicate);
  }
}
