/** Ends may be open or closed; null is unbounded. */
export interface NumberRange {
  readonly min: number | null;
  readonly isMinIncluded: boolean;
  readonly max: number | null;
  readonly isMaxIncluded: boolean;
}

/** Whether the number lies in the range. */
export function isInRange(range: NumberRange, value: number): boolean {
  if (range.min !== null && (range.isMinIncluded ? value < range.min : value <= range.min)) return false;
  if (range.max !== null && (range.isMaxIncluded ? value > range.max : value >= range.max)) return false;
  return true;
}
