/**
 * Instants as JSON has them: ISO 8601, UTC, milliseconds (Contract: §1). Put together from parts that are there already,
 * in half the time of `toISOString`: answers are full of instants.
 */
import { type EpochMs, MINUTE_MS } from '#domain/time.ts';

const DAY_MINUTES = 1_440;

/** Days whose date is kept as text; instants of answers are of few. */
const MAX_DATES = 10_000;

/** By the number of days since 1970, such as `2026-02-10T`. */
const dates = new Map<number, string>();

/** Of the day, such as `08:00:`. */
const MINUTES = Array.from(
  { length: DAY_MINUTES },
  (_, minute) => `${pad(Math.floor(minute / 60), 2)}:${pad(minute % 60, 2)}:`,
);

/** Such as `05.`. */
const SECONDS = Array.from({ length: 60 }, (_, second) => `${pad(second, 2)}.`);

/** Such as `070Z`. */
const MILLISECONDS = Array.from({ length: 1_000 }, (_, millisecond) => `${pad(millisecond, 3)}Z`);

/** For example `2026-02-10T08:00:00.000Z`. Throws on what is not finite. */
export function presentInstant(instant: EpochMs): string {
  const whole = Math.trunc(instant);
  const minutes = Math.floor(whole / MINUTE_MS);
  const day = Math.floor(minutes / DAY_MINUTES);
  const rest = whole - minutes * MINUTE_MS;
  return (
    dateOf(day) +
    MINUTES[minutes - day * DAY_MINUTES] +
    SECONDS[Math.floor(rest / 1_000)] +
    MILLISECONDS[rest % 1_000]
  );
}

/** The same, or null for null. */
export function presentInstantOrNull(instant: EpochMs | null): string | null {
  return instant === null ? null : presentInstant(instant);
}

function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const [date = ''] = new Date(day * DAY_MINUTES * MINUTE_MS).toISOString().split('T');
  if (dates.size >= MAX_DATES) dates.clear();
  dates.set(day, `${date}T`);
  return `${date}T`;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
