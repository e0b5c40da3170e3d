/** Predicates that lean on the instant of evaluation, as plain ranges of instants. Both evaluators use this. */
import type { Predicate } from '#domain/filter/conditions/predicate.ts';
import type { EpochMs } from '#domain/time.ts';
import { instantsOfElapsedDays, instantsOfElapsedRange } from './elapsed-days.ts';
import { type InstantRange, mergeRanges } from './instant-range.ts';
import { startOfSpan } from './time-span.ts';

export type RelativePredicate = Extract<
  Predicate,
  { kind: 'withinLast' | 'elapsedDaysIn' | 'elapsedDaysRange' }
>;

/** The instants that fulfil the predicate when it is evaluated at `at`. */
export function rangesAt(predicate: RelativePredicate, at: EpochMs): readonly InstantRange[] {
  switch (predicate.kind) {
    case 'withinLast':
      return [{ from: startOfSpan(predicate.span, at), to: null }];
    case 'elapsedDaysIn':
      return mergeRanges(instantsOfElapsedDays(predicate.values, at));
    case 'elapsedDaysRange':
      return mergeRanges([instantsOfElapsedRange(predicate.range, at)]);
  }
}
