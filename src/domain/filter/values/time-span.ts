import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

/** Spec: Value shapes by operator. Months are calendar months; the others are fixed. */
export const TIME_UNITS = ['minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

export interface TimeSpan {
  /** Finite and above 0; whole for months. */
  readonly amount: number;
  readonly unit: TimeUnit;
}

/** Months are missing, because they vary in length. */
export const FIXED_UNIT_MS = {
  minutes: MINUTE_MS,
  hours: HOUR_MS,
  days: DAY_MS,
  weeks: 7 * DAY_MS,
} as const satisfies Record<Exclude<TimeUnit, 'months'>, number>;

/**
 * The first whole millisecond of the span that ends at `at`; null if it is before the calendar. 31 March minus one
 * month is the last day of February, at the same UTC time.
 */
export function startOfSpan(span: TimeSpan, at: EpochMs): EpochMs | null {
  const start =
    span.unit === 'months' ? minusMonths(at, span.amount) : at - span.amount * FIXED_UNIT_MS[span.unit];
  return start === null || start < CALENDAR_START_MS ? null : Math.ceil(start);
}

/** 0001-01-01T00:00:00Z, the earliest timestamp. */
export const CALENDAR_START_MS: EpochMs = -62_135_596_800_000;

/** 10000-01-01T00:00:00Z, just after the last timestamp. */
export const CALENDAR_END_MS: EpochMs = 253_402_300_800_000;

function minusMonths(at: EpochMs, months: number): EpochMs | null {
  const from = new Date(at);
  const month = from.getUTCFullYear() * 12 + from.getUTCMonth() - months;
  const year = Math.floor(month / 12);
  if (year < 1) return null;
  const to = new Date(at);
  // The day is set last: otherwise 31 February would become a day in March.
  to.setUTCDate(1);
  to.setUTCFullYear(year, month - year * 12);
  to.setUTCDate(Math.min(from.getUTCDate(), daysInMonth(to)));
  return to.getTime();
}

function daysInMonth(date: Date): number {
  const next = new Date(date);
  next.setUTCMonth(next.getUTCMonth() + 1, 0);
  return next.getUTCDate();
}
