/** Like all `…Fault` functions, returns the end of a sentence about a faulty value, or null if it is fine. */
import { FIRST_INSTANT, LAST_INSTANT } from '#application/input-values.ts';
import { isFieldKey } from '#domain/filter/catalog/custom-field.ts';
import { isUuid } from '#domain/ids.ts';
import { missingDay, parseIsoInstant } from '#domain/text/iso-instant.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import { isBlank, unindexableReason, unstorableReason } from '#domain/text/storable-text.ts';
import type { EpochMs } from '#domain/time.ts';

export function textFault(value: unknown): string | null {
  return typeof value === 'string' ? unstorableReason(value) : notA('a string', value);
}

export function nameFault(value: unknown): string | null {
  const fault = textFault(value);
  return fault === null && typeof value === 'string' && isBlank(value) ? 'must not be empty' : fault;
}

export function keyFault(value: unknown): string | null {
  return typeof value === 'string' ? unindexableReason(value) : notA('a string', value);
}

export function keyNameFault(value: unknown): string | null {
  return nameFault(value) ?? keyFault(value);
}

/** Whole numbers beyond ±2^53 lose precision when parsed. */
export function numberFault(value: unknown): string | null {
  if (typeof value !== 'number') return notA('a number', value);
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isExact ? null : 'must be a number within ±2^53; a larger one would lose precision';
}

export function flagFault(value: unknown): string | null {
  return typeof value === 'boolean' ? null : notA('true or false', value);
}

export function idFault(value: unknown): string | null {
  return typeof value === 'string' && isUuid(value) ? null : 'must be a UUID';
}

export function instantFault(value: unknown): string | null {
  if (readInstant(value) !== null) return null;
  const day = typeof value === 'string' ? missingDay(value) : null;
  return day === null
    ? 'must be a date ("2026-02-10") or an instant ("2026-02-10T08:00:00Z", "2026-02-10T09:00+01:00")'
    : `must be a day that exists; there is no ${day}`;
}

export function wordFault(value: unknown, words: readonly string[]): string | null {
  if (typeof value === 'string' && words.includes(value)) return null;
  const near = typeof value === 'string' ? nearestWord(value, words) : null;
  return `must be one of ${words.join(', ')}${near === null ? '' : `; did you mean "${near}"?`}`;
}

/** For a custom field's key, which filters use after `custom.` (Contract: §3). */
export function fieldKeyFault(key: unknown): string | null {
  return typeof key === 'string' && isFieldKey(key)
    ? unindexableReason(key)
    : 'must be a lower-case letter followed by lower-case letters, digits and _';
}

export function listFault(value: unknown): string | null {
  return Array.isArray(value) ? null : notA('an array', value);
}

export function objectFault(value: unknown): string | null {
  return isObject(value) ? null : notA('an object', value);
}

/** Unknown members are refused, because a typo would lose the value. */
export function unknownMemberFault(name: string, known: Iterable<string>): string {
  const names = [...known];
  const near = nearestWord(name, names);
  return near === null
    ? `is not a known member; known members are ${names.join(', ')}`
    : `is not a known member; did you mean "${near}"?`;
}

/** A name or an index, as in `.software[3].name` and `.custom["Asset tag"]`. */
export function pathSegment(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return PLAIN_NAME.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, MAX_NAME_LENGTH))}]`;
}

const MAX_NAME_LENGTH = 100;

const PLAIN_NAME = /^[A-Za-z_]\w{0,99}$/;

export const IS_REQUIRED = 'is required';

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readInstant(value: unknown): EpochMs | null {
  const epochMs = typeof value === 'string' ? (parseIsoInstant(value)?.epochMs ?? null) : null;
  return epochMs !== null && epochMs >= FIRST_INSTANT && epochMs <= LAST_INSTANT ? epochMs : null;
}

function notA(allowed: string, value: unknown): string {
  return `must be ${allowed}, not ${kindOfValue(value)}`;
}

function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  switch (typeof value) {
    case 'string':
      return 'a string';
    case 'number':
      return 'a number';
    case 'boolean':
      return String(value);
    default:
      return 'an object';
  }
}
