/** The meaning of positive operators for single values, taken word for word from the contract (§4). */
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';
import { compareVersions } from '#test/support/compare-versions.ts';

/** The value of a device in a field. */
export type Held = string | number | boolean;

type ValueMeaning = (held: Held, at: EpochMs) => boolean;

/** Whether a present value meets a positive operator with a single value in the field. */
export function meaningForValue(field: FilterField, operator: string, value: unknown): ValueMeaning {
  switch (field.type) {
    case 'string':
    case 'enum':
      return ofText(operator, value, field.isUuid);
    case 'boolean':
      return (held) => String(held) === String(value);
    case 'number':
      return field.category === 'computed' ? ofElapsedDays(operator, value) : ofNumber(operator, value);
    case 'version':
      return ofVersion(operator, value);
    case 'datetime':
      return operator === 'withinLast' ? ofSpan(value as Span) : ofDate(operator, value);
    case 'array':
      throw new Error('a list is not a single value');
  }
}

function ofText(operator: string, value: unknown, isUuid: boolean): ValueMeaning {
  switch (operator) {
    case 'equals':
      return (held) => held === (isUuid ? decimalText(value).toLowerCase() : decimalText(value));
    case 'in':
      return (held) => (value as string[]).some((one) => held === (isUuid ? one.toLowerCase() : one));
    case 'contains':
      return (held) => foldCase(String(held)).includes(foldCase(decimalText(value)));
    case 'startsWith':
      return (held) => foldCase(String(held)).startsWith(foldCase(decimalText(value)));
    case 'endsWith':
      return (held) => foldCase(String(held)).endsWith(foldCase(decimalText(value)));
    case 'matches': {
      const matcher = translatePattern(decimalText(value));
      if (!matcher.ok) throw new Error('the pattern cannot be translated');
      return (held) => matcher.value(String(held));
    }
    default:
      throw new Error(`${operator} is no operator of a text`);
  }
}

/** A number stands for its decimal text. Only one of the drawn numbers would print with an exponent. */
export function decimalText(value: unknown): string {
  return value === 1e-7 ? '0.0000001' : String(value);
}

function ofNumber(operator: string, value: unknown): ValueMeaning {
  if (operator === 'between') {
    const { from, to } = value as { from: unknown; to: unknown };
    return (held) => Number(held) >= Number(from) && Number(held) <= Number(to);
  }
  const bound = Number(value);
  switch (operator) {
    case 'equals':
      return (held) => held === bound;
    case 'greaterThan':
      return (held) => Number(held) > bound;
    case 'greaterThanOrEquals':
      return (held) => Number(held) >= bound;
    case 'lessThan':
      return (held) => Number(held) < bound;
    case 'lessThanOrEquals':
      return (held) => Number(held) <= bound;
    default:
      throw new Error(`${operator} is no operator of a number`);
  }
}

/** A text without a version counts as missing. */
function ofVersion(operator: string, value: unknown): ValueMeaning {
  const { from, to } =
    operator === 'between' ? (value as { from: unknown; to: unknown }) : { from: '', to: '' };
  const than = (held: Held, bound: unknown) => compareVersions(String(held), decimalText(bound));
  const meanings: Readonly<Record<string, (held: Held) => boolean>> = {
    equals: (held) => than(held, value) === 0,
    in: (held) => (value as string[]).some((one) => than(held, one) === 0),
    greaterThan: (held) => than(held, value) > 0,
    greaterThanOrEquals: (held) => than(held, value) >= 0,
    lessThan: (held) => than(held, value) < 0,
    lessThanOrEquals: (held) => than(held, value) <= 0,
    between: (held) => than(held, from) >= 0 && than(held, to) <= 0,
  };
  const meaning = meanings[operator];
  if (meaning === undefined) throw new Error(`${operator} is no operator of a version`);
  return meaning;
}

const DAY = 86_400_000;

/** Compares exact fractions of days, except that `equals` with a whole number compares whole days. */
function ofElapsedDays(operator: string, value: unknown): ValueMeaning {
  const isWhole = operator === 'equals' && Number.isInteger(Number(value));
  const ofDays = ofNumber(operator, Number.isNaN(Number(value)) ? value : Number(value));
  return (held, at) => {
    const days = (at - Number(held)) / DAY;
    return ofDays(isWhole ? Math.floor(days) : days, at);
  };
}

/** A date without a time stands for the whole day. */
function ofDate(operator: string, value: unknown): ValueMeaning {
  const first = (date: unknown) => parseIsoInstant(String(date))?.epochMs ?? Number.NaN;
  const last = (date: unknown) => first(date) + (String(date).length === 'YYYY-MM-DD'.length ? DAY - 1 : 0);
  switch (operator) {
    case 'equals':
      return (held) => Number(held) >= first(value) && Number(held) <= last(value);
    case 'before':
      return (held) => Number(held) < first(value);
    case 'after':
      return (held) => Number(held) > last(value);
    case 'between': {
      const { from, to } = value as { from: unknown; to: unknown };
      return (held) => Number(held) >= first(from) && Number(held) <= last(to);
    }
    default:
      throw new Error(`${operator} is no operator of a date`);
  }
}

interface Span {
  readonly amount: number;
  readonly unit: string;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  minutes: 60_000,
  hours: 3_600_000,
  days: DAY,
  weeks: 7 * DAY,
};

/** Includes the future. A span that begins before the calendar matches every instant. */
function ofSpan({ amount, unit }: Span): ValueMeaning {
  if (unit === 'months') return (held, at) => Number(held) >= monthsBefore(at, amount);
  const span = amount * (UNIT_MS[unit] ?? Number.NaN);
  return (held, at) => at - Number(held) <= span || at - span < CALENDAR_START;
}

const CALENDAR_START = Date.parse('0001-01-01T00:00:00.000Z');

/**
 * The same day and time in an earlier month, or the last day of a shorter month. A span that reaches before the
 * calendar has no start.
 */
function monthsBefore(at: EpochMs, months: number): EpochMs {
  const then = new Date(at);
  const month = then.getUTCFullYear() * 12 + then.getUTCMonth() - months;
  if (month < 12) return Number.NEGATIVE_INFINITY;
  const yearAndMonth = `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
  const time = then.toISOString().slice(10);
  for (let day = then.getUTCDate(); ; day--) {
    const found = parseIsoInstant(`${yearAndMonth}-${String(day).padStart(2, '0')}${time}`);
    if (found !== null) return found.epochMs;
  }
}
