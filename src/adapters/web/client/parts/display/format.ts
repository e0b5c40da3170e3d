import { isOffline } from '#console/api/http.ts';
import { LANGUAGES } from '#console/app/languages.ts';
import { unreachable } from '#console/app/words/shared.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

// `@__PURE__` lets bundles drop unused formatters, if their options have no spread.
const NUMBER = /* @__PURE__ */ new Intl.NumberFormat(LANGUAGES);
const EXACT = /* @__PURE__ */ new Intl.NumberFormat(LANGUAGES, { maximumFractionDigits: 20 });
const PERCENT = /* @__PURE__ */ new Intl.NumberFormat(LANGUAGES, {
  style: 'unit',
  unit: 'percent',
  maximumFractionDigits: 20,
});
const DATE_TIME = /* @__PURE__ */ new Intl.DateTimeFormat(LANGUAGES, {
  dateStyle: 'medium',
  timeStyle: 'short',
});
const DATE = /* @__PURE__ */ new Intl.DateTimeFormat(LANGUAGES, { dateStyle: 'medium' });
const TIME = /* @__PURE__ */ new Intl.DateTimeFormat(LANGUAGES, { timeStyle: 'medium' });
const UTC = /* @__PURE__ */ new Intl.DateTimeFormat(LANGUAGES, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});
const SPAN = /* @__PURE__ */ new Intl.RelativeTimeFormat(LANGUAGES, { style: 'short', numeric: 'always' });
const NOW = /* @__PURE__ */ new Intl.RelativeTimeFormat(LANGUAGES, { numeric: 'auto' });

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** For example `1 device` or `1,234 devices`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Not rounded, as in a filter or an export. */
export function formatExact(value: number): string {
  return EXACT.format(value);
}

/** `value` is in percent. Not rounded: 80.04 shown as 80 would contradict a list of `disk:>80`. */
export function formatPercent(value: number): string {
  return PERCENT.format(value);
}

export function formatDateTime(instant: Date): string {
  return DATE_TIME.format(instant);
}

export function formatDate(instant: Date): string {
  return DATE.format(instant);
}

export function formatTimeOfDay(instant: Date): string {
  return TIME.format(instant);
}

export function formatUtc(instant: Date): string {
  return `${UTC.format(instant)} UTC`;
}

const UNITS = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/** Uses the largest unit that fits; minutes are the smallest. Both times are in epoch milliseconds. */
export function formatSpan(instant: number, now: number): string {
  const distance = instant - now;
  for (const [unit, size] of UNITS) {
    if (Math.abs(distance) >= size) return SPAN.format(Math.trunc(distance / size), unit);
  }
  return distance <= 0 ? NOW.format(0, 'second') : SPAN.format(1, 'minute');
}

export function messageOf(error: unknown): string {
  if (isOffline(error)) return unreachable;
  return error instanceof Error ? error.message : String(error);
}
