/** When a key of any kind expires. Errors say what to send. */
import { LAST_INSTANT, parseDate } from '#application/date-input.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** Absent or null: never. Must be after `now`. */
export function parseKeyExpiry(value: unknown, now: EpochMs): Result<EpochMs | null, string> {
  if (value === undefined || value === null) return ok(null);
  const date = parseDate(typeof value === 'string' ? value : '');
  if (!date.ok) return err(`expiresAt ${date.error}`);
  const { epochMs } = date.value;
  if (epochMs <= now) return err('expiresAt must be in the future');
  // An offset can lead beyond the years that a database takes.
  return epochMs <= LAST_INSTANT
    ? ok(epochMs)
    : err('expiresAt must be in the year 9999 at the latest, in UTC');
}
