/**
 * daysSinceLastSeen and daysSinceEnrolled, turned around into ranges of instants, so that both evaluators compare
 * the same whole milliseconds and no index is lost on an expression (Contract: §4).
 */
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import type { InstantRange } from './instant-range.ts';
import type { NumberRange } from './number-range.ts';

/** The instants from which exactly a value's days have elapsed at `at`; a whole value takes the whole day. */
export function instantsOfElapsedDays(values: ReadonlySet<number>, at: EpochMs): readonly InstantRange[] {
  return [...values].flatMap((days) => {
    if (Number.isInteger(days)) return [{ from: at - (days + 1) * DAY_MS + 1, to: at - days * DAY_MS + 1 }];
    const exactly = instantsOfElapsedRange(
      { min: days, isMinIncluded: true, max: days, isMaxIncluded: true },
      at,
    );
    // A fraction of a day that is no whole millisecond is never elapsed exactly.
    return exactly.from === exactly.to ? [] : [exactly];
  });
}

/** The instants from which a number of days in the range has elapsed at `at`, fractions counted exactly. */
export function instantsOfElapsedRange(range: NumberRange, at: EpochMs): InstantRange {
  const { min, isMinIncluded, max, isMaxIncluded } = range;
  return {
    // The most days elapsed is the earliest instant.
    from: max === null ? null : at - leastElapsed(max, isMaxIncluded ? 'past' : 'reached') + 1,
    to: min === null ? null : at - leastElapsed(min, isMinIncluded ? 'reached' : 'past') + 1,
  };
}

/**
 * The least whole milliseconds in which that many days are reached, or past. Milliseconds are divided into days
 * rather than days multiplied: 6,048,000 ms are 0.07 days, but 0.07 times a day's milliseconds is a little more.
 */
function leastElapsed(days: number, goal: 'reached' | 'past'): number {
  const isThere = (ms: number) => (goal === 'reached' ? ms / DAY_MS >= days : ms / DAY_MS > days);
  let ms = Math.round(days * DAY_MS);
  // Farther than any two instants are apart, where a millisecond more or less is none.
  if (!Number.isSafeInteger(ms)) return ms;
  while (isThere(ms - 1)) ms--;
  while (!isThere(ms)) ms++;
  return ms;
}
