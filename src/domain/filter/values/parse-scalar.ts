/** Parses single values by field type (Contract: §4). Nothing is guessed. */
import { isUuid } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { missingDay, parseIsoInstant } from '#domain/text/iso-instant.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { versionKey } from './version-key.ts';

/** The end of a message, such as `must be a UUID`. */
export type ScalarRefusal = string;

export interface Scalar<T> {
  /** For messages, such as `a number`. */
  readonly one: string;
  readonly many: string;
  parse(value: unknown): Result<T, ScalarRefusal>;
}

/** Numbers become decimal text. */
export const TEXT: Scalar<string> = {
  one: 'a string',
  many: 'strings',
  parse(value) {
    if (typeof value === 'number') {
      const exact = NUMBER.parse(value);
      return exact.ok ? ok(decimalText(exact.value)) : exact;
    }
    if (typeof value !== 'string') return refuse(TEXT, value);
    const reason = unstorableReason(value);
    return reason === null ? ok(value) : err(reason);
  },
};

/** Versions become their `versionKey`. */
export const VERSION: Scalar<string> = {
  one: 'a version such as "1.10.2"',
  many: 'versions such as "1.10.2"',
  parse(value) {
    const text = TEXT.parse(value);
    if (!text.ok)
      return typeof value === 'string' || typeof value === 'number' ? text : refuse(VERSION, value);
    const key = versionKey(text.value);
    return key === null ? refuse(VERSION, value) : ok(key);
  },
};

export const UUID: Scalar<string> = {
  one: 'a UUID',
  many: 'UUIDs',
  parse: (value) =>
    typeof value === 'string' && isUuid(value) ? ok(value.toLowerCase()) : refuse(UUID, value),
};

/** Accepts numbers from -(2^53 - 1) to 2^53 - 1, and strings such as `-1.5` that are exact as a double. */
export const NUMBER: Scalar<number> = {
  one: 'a number',
  many: 'numbers',
  parse(value) {
    if (typeof value === 'string' && !/^-?[0-9]+(\.[0-9]+)?$/.test(value)) {
      return err(`must be a number such as 42 or -1.5, not ${describe(value)}`);
    }
    if (typeof value !== 'number' && typeof value !== 'string') return refuse(NUMBER, value);
    const number = Number(value);
    if (Math.abs(number) > Number.MAX_SAFE_INTEGER) {
      const max = Number.MAX_SAFE_INTEGER;
      return err(`must be a number from -${max} to ${max}. Beyond that, numbers are not exact.`);
    }
    if (typeof value === 'string' && withoutIdleZeros(value) !== decimalText(number)) {
      return err(`must have fewer digits. ${describe(value)} cannot be compared exactly.`);
    }
    return ok(number === 0 ? 0 : number);
  },
};

export const BOOLEAN: Scalar<boolean> = {
  one: 'true or false',
  many: 'true or false',
  parse(value) {
    if (value === true || value === 'true') return ok(true);
    if (value === false || value === 'false') return ok(false);
    return refuse(BOOLEAN, value);
  },
};

/** A whole UTC day or one millisecond; `to` is excluded. */
export interface DateInstants {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export const DATE: Scalar<DateInstants> = {
  one: 'an ISO 8601 date such as "2026-02-10" or "2026-02-10T08:00:00Z"',
  many: 'ISO 8601 dates',
  parse(value) {
    const parsed = typeof value === 'string' ? parseIsoInstant(value) : null;
    if (parsed === null) {
      const day = typeof value === 'string' ? missingDay(value) : null;
      return day === null ? refuse(DATE, value) : err(`must be a day that exists. There is no ${day}.`);
    }
    return ok({ from: parsed.epochMs, to: parsed.epochMs + (parsed.kind === 'date' ? DAY_MS : 1) });
  },
};

export function oneOf(values: readonly string[]): Scalar<string> {
  const scalar: Scalar<string> = {
    one: `one of ${listValues(values)}`,
    many: `values from ${listValues(values)}`,
    parse(value) {
      if (typeof value !== 'string') return refuse(scalar, value);
      if (values.includes(value)) return ok(value);
      const near = nearestWord(value, values);
      const meant = near === null ? '' : `. Did you mean ${near}?`;
      return err(`must be ${scalar.one}, not ${describe(value)}${meant}`);
    },
  };
  return scalar;
}

/** For messages. Long texts are cut; arrays and objects are never printed. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value).toWellFormed();
  return String(value);
}

function refuse({ one }: Scalar<unknown>, value: unknown): Result<never, ScalarRefusal> {
  return err(`must be ${one}, not ${describe(value)}`);
}

export function listValues(values: readonly string[]): string {
  const shown = values.slice(0, 20).join(', ');
  return values.length > 20 ? `${shown}, … (${values.length} in all)` : shown;
}

/** `-007.50` becomes `-7.5`. Zeros are stripped one by one, because the text may have a megabyte. */
function withoutIdleZeros(decimal: string): string {
  const [whole = '', fraction = ''] = decimal
    .replace(/^-/, '')
    .replace(/^0+(?=[0-9])/, '')
    .split('.');
  let end = fraction.length;
  while (fraction[end - 1] === '0') end--;
  const number = end === 0 ? whole : `${whole}.${fraction.slice(0, end)}`;
  return decimal.startsWith('-') && number !== '0' ? `-${number}` : number;
}

function decimalText(number: number): string {
  const text = String(number);
  const match = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', first = '', rest = '', exponent = '0'] = match;
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`;
}
