/** How spans of time are written in a filter text: `90min`, `12h`, `7d`, `2w`, `3mo` (Contract: §11). */
import type { TimeUnit } from '#domain/filter/values/time-span.ts';

export const UNIT_SUFFIXES = {
  minutes: 'min',
  hours: 'h',
  days: 'd',
  weeks: 'w',
  months: 'mo',
} as const satisfies Record<TimeUnit, string>;

const UNITS: ReadonlyMap<string, TimeUnit> = new Map(
  (Object.entries(UNIT_SUFFIXES) as [TimeUnit, string][]).map(([unit, suffix]) => [suffix, unit]),
);

/** The unit of a suffix, or null where there is no such suffix. */
export function unitOf(suffix: string): TimeUnit | null {
  return UNITS.get(suffix) ?? null;
}
