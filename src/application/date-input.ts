/** Dates in bodies and queries (Contract: §4). */
import { CALENDAR_END_MS, CALENDAR_START_MS } from '#domain/filter/values/time-span.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type IsoInstant, missingDay, parseIsoInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';

/** The first and last instant of years 1 to 9999; offsets can lead outside. */
export const FIRST_INSTANT: EpochMs = CALENDAR_START_MS;
export const LAST_INSTANT: EpochMs = CALENDAR_END_MS - 1;

/** The date, or a message that continues after the field's name. */
export function parseDate(text: string): Result<IsoInstant, string> {
  const date = parseIsoInstant(text);
  if (date !== null) return ok(date);
  const day = missingDay(text);
  return day === null
    ? err('must be an ISO 8601 date, such as 2026-02-10 or 2026-02-10T08:00:00Z')
    : err(`must be a day that exists; there is no ${day}`);
}
