/** Instants as they stand in tables of a terminal. */
import type { EpochMs } from '#domain/time.ts';

/** As `2026-11-21 19:25:07Z`; none is the empty text. */
export function formatTime(instant: EpochMs | null): string {
  return instant === null ? '' : `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}
