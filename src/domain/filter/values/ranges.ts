import { compareCodePoints } from '#domain/text/code-points.ts';
import type { EpochMs } from '#domain/time.ts';

/** `from` is included, `to` excluded; null is unbounded. */
export interface InstantRange {
  readonly from: EpochMs | null;
  readonly to: EpochMs | null;
}

/** Whether the instant lies in one of the ranges. */
export function isWithin(ranges: readonly InstantRange[], instant: EpochMs): boolean {
  for (const range of ranges) {
    if ((range.from === null || instant >= range.from) && (range.to === null || instant < range.to))
      return true;
  }
  return false;
}

/** Sorted, without overlaps; touching ranges become one. */
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

/** Ends may be open or closed; null is unbounded. */
export interface Bounds<T> {
  readonly min: T | null;
  readonly isMinIncluded: boolean;
  readonly max: T | null;
  readonly isMaxIncluded: boolean;
}

export type NumberRange = Bounds<number>;

/** A range of version keys (`versionKey`). */
export type VersionRange = Bounds<string>;

/** Whether the number lies in the range. */
export function isInRange(range: NumberRange, value: number): boolean {
  if (range.min !== null && (range.isMinIncluded ? value < range.min : value <= range.min)) return false;
  if (range.max !== null && (range.isMaxIncluded ? value > range.max : value >= range.max)) return false;
  return true;
}

/** Whether the key lies in the range. */
export function isVersionInRange(
  { min, isMinIncluded, max, isMaxIncluded }: VersionRange,
  key: string,
): boolean {
  if (min !== null && compareCodePoints(key, min) < (isMinIncluded ? 0 : 1)) return false;
  return max === null || compareCodePoints(key, max) < (isMaxIncluded ? 1 : 0);
}
