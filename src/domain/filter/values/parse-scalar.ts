/**
 * Single values of a condition, checked against the type of their field (Contract: §4). Nothing is guessed: what
 * does not fit is refused with what would.
 */
import { err, ok, type Result } from '#domain/result.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import { DAY_MS } from '#domain/time.ts';
import type { InstantRange } from './instant-range.ts';

/** Why a value is refused, as the end of a sentence that begins with its name. */
export type ScalarRefusal = string;

/** A text, or a number as its decimal text. */
export function parseText(value: unknown): Result<string, ScalarRefusal> {
  if (typeof value === 'number') {
    const exact = parseNumber(value);
    return exact.ok ? ok(decimalText(exact.value)) : exact;
  }
  if (typeof value !== 'string') return err(`must be a string, not ${describe(value)}`);
  const reason = unstorableReason(value);
  return reason === null ? ok(value) : err(reason);
}

/** A finite number of at most 2^53 - 1, or a string of the form `-?digits(.digits)?`. */
export function parseNumber(value: unknown): Result<number, ScalarRefusal> {
  if (typeof value === 'string' && !/^-?[0-9]+(\.[0-9]+)?$/.test(value)) {
    return err(`must be a number, or a string such as "42" or "-1.5", not ${describe(value)}`);
  }
  if (typeof value !== 'number' && typeof value !== 'string') {
    return err(`must be a number, not ${describe(value)}`);
  }
  const number = Number(value);
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) {
    return err(`must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}, to be exact`);
  }
  return ok(number === 0 ? 0 : number);
}

/** true, false, "true" or "false". */
export function parseBoolean(value: unknown): Result<boolean, ScalarRefusal> {
  if (value === true || value === 'true') return ok(true);
  if (value === false || value === 'false') return ok(false);
  return err(`must be true or false, not ${describe(value)}`);
}

/** One of the listed values, case-sensitive. */
export function parseEnumValue(value: unknown, values: readonly string[]): Result<string, ScalarRefusal> {
  if (typeof value === 'string' && values.includes(value)) return ok(value);
  return err(`must be one of ${listValues(values)}, not ${describe(value)}`);
}

/** The instants that a date stands for: a whole UTC day, or one millisecond. Both ends are known. */
export function parseDate(
  value: unknown,
): Result<Required<{ [K in keyof InstantRange]: number }>, ScalarRefusal> {
  const parsed = typeof value === 'string' ? parseIsoInstant(value) : null;
  if (parsed === null) {
    return err(
      `must be an ISO 8601 date such as "2026-02-10" or "2026-02-10T08:00:00Z", not ${describe(value)}`,
    );
  }
  return ok({ from: parsed.epochMs, to: parsed.epochMs + (parsed.kind === 'date' ? DAY_MS : 1) });
}

/** A value as a message shows it: short, quoted where it is a text, never a whole structure. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value).toWellFormed();
  return String(value);
}

/** The allowed values in one breath; a long list is cut. */
export function listValues(values: readonly string[]): string {
  const shown = values.slice(0, 20).join(', ');
  return values.length > 20 ? `${shown}, … (${values.length} in all)` : shown;
}

/** A number written out in decimal, without an exponent. */
function decimalText(number: number): string {
  const text = String(number);
  const match = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', first = '', rest = '', exponent = '0'] = match;
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`;
}
