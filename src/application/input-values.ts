import type { FieldError } from '#application/application-error.ts';
import { CALENDAR_END_MS, CALENDAR_START_MS } from '#domain/filter/values/time-span.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { type IsoInstant, missingDay, parseIsoInstant } from '#domain/text/iso-instant.ts';
import { isBlank, trimText, unstorableReason } from '#domain/text/storable-text.ts';
import type { EpochMs } from '#domain/time.ts';

/** In code points, after trimming. */
export const MAX_NAME_LENGTH = 200;

export function parseName(value: unknown): Result<string, string> {
  if (typeof value !== 'string') return err(`name must be a string of 1 to ${MAX_NAME_LENGTH} characters`);
  const reason = unstorableReason(value);
  if (reason !== null) return err(`name ${reason}`);
  if (isBlank(value)) return err(`name must not be blank; send 1 to ${MAX_NAME_LENGTH} characters`);
  const name = trimText(value);
  const length = countCodePoints(name);
  return length <= MAX_NAME_LENGTH
    ? ok(name)
    : err(`name must have 1 to ${MAX_NAME_LENGTH} characters after trimming; it has ${length}`);
}

/** The accepted range, and the value to use if none was sent. */
export interface WholeNumbers {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

export function readWholeNumber(
  path: string,
  sent: unknown,
  { min, max, fallback }: WholeNumbers,
): Result<number, FieldError> {
  if (sent === undefined) return ok(fallback);
  if (typeof sent === 'number' && Number.isInteger(sent) && sent >= min && sent <= max) return ok(sent);
  return err({ path, code: 'out_of_range', message: `${path} must be a whole number from ${min} to ${max}` });
}

/** The years 1 to 9999 in UTC. An offset can move a date outside, as in `9999-12-31T23:00:00-05:00`. */
export const FIRST_INSTANT: EpochMs = CALENDAR_START_MS;
export const LAST_INSTANT: EpochMs = CALENDAR_END_MS - 1;

/** The error continues a sentence that begins with the field's name. */
export function parseDate(text: string): Result<IsoInstant, string> {
  const date = parseIsoInstant(text);
  if (date !== null) return ok(date);
  const day = missingDay(text);
  return day === null
    ? err('must be an ISO 8601 date, such as 2026-02-10 or 2026-02-10T08:00:00Z')
    : err(`must be a day that exists; there is no ${day}`);
}

/** Null means that the key never expires. Errors are complete messages. */
export function parseKeyExpiry(value: unknown, now: EpochMs): Result<EpochMs | null, string> {
  if (value === undefined || value === null) return ok(null);
  const date = parseDate(typeof value === 'string' ? value : '');
  if (!date.ok) return err(`expiresAt ${date.error}`);
  const { epochMs } = date.value;
  if (epochMs <= now) return err('expiresAt must be in the future');
  return epochMs <= LAST_INSTANT
    ? ok(epochMs)
    : err('expiresAt must be in the year 9999 at the latest, in UTC');
}
