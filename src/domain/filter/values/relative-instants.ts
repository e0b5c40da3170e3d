/** Turns predicates relative to now into ranges of instants, for the evaluator and the PostgreSQL compiler. */
import type { Predicate, ValuePredicate } from '#domain/filter/conditions/predicate.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { type InstantRange, mergeRanges, type NumberRange } from './ranges.ts';
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

/** The instants that match if now is `at`. */
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

// With ranges, the evaluator and PostgreSQL compare the same milliseconds, and PostgreSQL can use an index
// (Contract: §4).

/** 3 means from 3 to less than 4 days ago; 2.5 means exactly 2.5 days ago. */
export function instantsOfElapsedDays(values: ReadonlySet<number>, at: EpochMs): readonly InstantRange[] {
  return [...values].flatMap((days) => {
    if (Number.isInteger(days)) return [{ from: at - (days + 1) * DAY_MS + 1, to: at - days * DAY_MS + 1 }];
    const exactly = instantsOfElapsedRange(
      { min: days, isMinIncluded: true, max: days, isMaxIncluded: true },
      at,
    );
    // A fraction of a day that is not a whole number of milliseconds never elapses exactly.
    return exactly.from === exactly.to ? [] : [exactly];
  });
}

export function instantsOfElapsedRange(range: NumberRange, at: EpochMs): InstantRange {
  const { min, isMinIncluded, max, isMaxIncluded } = range;
  return {
    // More elapsed days mean an earlier instant.
    from: max === null ? null : at - leastElapsed(max, isMaxIncluded ? 'past' : 'reached') + 1,
    to: min === null ? null : at - leastElapsed(min, isMinIncluded ? 'reached' : 'past') + 1,
  };
}

/**
 * The fewest whole milliseconds after which `days` are reached or past. The check divides, because
 * multiplying is inexact: 6,048,000 ms are 0.07 days, but 0.07 times a day is a little more.
 */
function leastElapsed(days: number, goal: 'reached' | 'past'): number {
  const isThere = (ms: number) => (goal === 'reached' ? ms / DAY_MS >= days : ms / DAY_MS > days);
  let ms = Math.round(days * DAY_MS);
  // No two instants are this far apart, so a millisecond makes no difference.
  if (!Number.isSafeInteger(ms)) return ms;
  while (isThere(ms - 1)) ms--;
  while (!isThere(ms)) ms++;
  return ms;
}
