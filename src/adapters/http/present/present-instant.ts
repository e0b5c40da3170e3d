/** Instants as JSON has them: ISO 8601, UTC, milliseconds (Contract: §1). */
import type { EpochMs } from '#domain/time.ts';

/** For example `2026-02-10T08:00:00.000Z`. */
export function presentInstant(instant: EpochMs): string {
  return new Date(instant).toISOString();
}

/** The same, or null for null. */
export function presentInstantOrNull(instant: EpochMs | null): string | null {
  return instant === null ? null : presentInstant(instant);
}
