/** Ranges of instants in whole milliseconds, the one form in which every date condition is evaluated. */
import type { EpochMs } from '#domain/time.ts';

/** From `from` (included) up to `to` (excluded); null is unbounded on that side. */
export interface InstantRange {
  readonly from: EpochMs | null;
  readonly to: EpochMs | null;
}

/** Whether an instant lies in one of the ranges. */
export function isWithin(ranges: readonly InstantRange[], instant: EpochMs): boolean {
  for (const range of ranges) {
    if ((range.from === null || instant >= range.from) && (range.to === null || instant < range.to))
      return true;
  }
  return false;
}

/** The same instants as sorted ranges that neither overlap nor touch; empty ranges are dropped. */
export function mergeRanges(ranges: readonly InstantRange[]): readonly InstantRange[] {
  const sorted = ranges
    .filter((range) => range.from === null || range.to === null || range.from < range.to)
    .sort((a, b) => (a.from ?? -Infinity) - (b.from ?? -Infinity));
  const merged: InstantRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && (last.to === null || last.to >= (range.from ?? -Infinity))) {
      if (last.to !== null && (range.to === null || range.to > last.to)) {
        merged[merged.length - 1] = { from: last.from, to: range.to };
      }
    } else {
      merged.push(range);
    }
  }
  return merged;
}
