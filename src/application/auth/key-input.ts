/** What every kind of key is given: a name, and when it expires. Errors say what to send, by the name of the member. */
import { parseDate } from '#application/date-input.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { isBlank } from '#domain/text/blank-text.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import type { EpochMs } from '#domain/time.ts';

/** Code points, after trimming. */
const MAX_NAME_LENGTH = 200;

/** Trimmed. */
export function parseKeyName(value: unknown): Result<string, string> {
  if (typeof value !== 'string') return err('name must be a string of 1 to 200 characters');
  const reason = unstorableReason(value);
  if (reason !== null) return err(`name ${reason}`);
  if (isBlank(value)) return err(`name must not be blank; send 1 to ${MAX_NAME_LENGTH} characters`);
  const name = value.trim();
  const length = countCodePoints(name);
  return length <= MAX_NAME_LENGTH
    ? ok(name)
    : err(`name must have 1 to ${MAX_NAME_LENGTH} characters after trimming; it has ${length}`);
}

/** Absent or null: never. Must be after `now`. */
export function parseKeyExpiry(value: unknown, now: EpochMs): Result<EpochMs | null, string> {
  if (value === undefined || value === null) return ok(null);
  const date = parseDate(typeof value === 'string' ? value : '');
  if (!date.ok) return err(`expiresAt ${date.error}`);
  const { epochMs } = date.value;
  return epochMs > now ? ok(epochMs) : err('expiresAt must be in the future');
}
