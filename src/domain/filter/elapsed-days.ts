/**
 * daysSinceLastSeen and daysSinceEnrolled, turned around into ranges of instants, so that both evaluators compare
 * the same whole milliseconds and no index is lost on an expression (Contract: §4).
 */
import type { EpochMs } from '#domain/device/device.ts';
import type { InstantRange } from './instant-range.ts';
import type { NumberRange } from './number-range.ts';
import { DAY_MS } from './time-span.ts';

/** The instants from which exactly a value's days have elapsed at `at`; a whole value takes the whole day. */
export function instantsOfElapsedDays(values: ReadonlySet<number>, at: EpochMs): readonly InstantRange[] {
  return [...values].flatMap((days) => {
    if (Number.isInteger(days)) return [{ from: at - (days + 1) * DAY_MS + 1, to: at - days * DAY_MS + 1 }];
    const elapsedMs = days * DAY_MS;
    // A fraction of a day that is no whole millisecond is never elapsed exactly.
    return Number.isInteger(elapsedMs) ? [{ from: at - elapsedMs, to: at - elapsedMs + 1 }] : [];
  });
}

/** The instants from which a number of days in the range has elapsed at `at`, fractions counted exactly. */
export function instantsOfElapsedRange(range: NumberRange, at: EpochMs): InstantRange {
  return {
    // The most days elapsed is the earliest instant.
    from: range.max === null ? null : firstAtOrAfter(at - range.max * DAY_MS, range.isMaxIncluded),
    to: range.min === null ? null : firstPast(at - range.min * DAY_MS, range.isMinIncluded),
  };
}

/** The first whole millisecond at (where included) or after the instant. */
function firstAtOrAfter(instant: number, isIncluded: boolean): EpochMs {
  return isIncluded ? Math.ceil(instant) : Math.floor(instant) + 1;
}

/** The first whole millisecond that comes after the last one at (where included) or before the instant. */
function firstPast(instant: number, isIncluded: boolean): EpochMs {
  return isIncluded ? Math.floor(instant) + 1 : Math.ceil(instant);
}
