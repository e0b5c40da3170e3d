import type { EpochMs } from '#domain/time.ts';

/** The day of the instant, `YYYY-MM-DD` in UTC. */
export function isoDay(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 10);
}
