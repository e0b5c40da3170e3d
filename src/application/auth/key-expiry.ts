/** When a key of any kind expires. Errors say what to send. */
import { parseDate } from '#application/date-input.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** Absent or null: never. Must be after `now`. */
export function parseKeyExpiry(value: unknown, now: EpochMs): Result<EpochMs | null, string> {
  if (value === undefined || value === null) return ok(null);
  const date = parseDate(typeof value === 'string' ? value : '');
  if (!date.ok) return err(`expiresAt ${date.error}`);
  const { epochMs } = date.value;
  return epochMs > now ? ok(epochMs) : err('expiresAt must be in the future');
}
