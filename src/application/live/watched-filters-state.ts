import { isDueAgain } from '#application/job.ts';
import type { BacklogReader } from '#application/ports/backlog-reader.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { EpochMs } from '#domain/time.ts';

/** Whether watched filters keep up with the changes of their devices. */
export type WatchedFiltersState = 'current' | 'late' | 'unknown';

/** Filters are late if a changed device has waited longer than this for its evaluation. */
const LATE_AFTER_MS = 60_000;

const READ_EVERY_MS = 10_000;

export interface WatchedFiltersStateDeps {
  readonly readBacklog: BacklogReader;
  readonly clock: Clock;
}

/**
 * Returns the state that was read last, because a probe must not wait for the backlog. The state has no
 * figures: anyone may ask, and they would show the activity of tenants.
 */
export function makeWatchedFiltersState({
  readBacklog,
  clock,
}: WatchedFiltersStateDeps): () => WatchedFiltersState {
  let state: WatchedFiltersState = 'unknown';
  let readAt: EpochMs = Number.NEGATIVE_INFINITY;
  const read = async (now: EpochMs) => {
    const { oldestMarkAge } = await readBacklog(now);
    state = oldestMarkAge > LATE_AFTER_MS ? 'late' : 'current';
  };
  return () => {
    const now = clock();
    if (isDueAgain(readAt, READ_EVERY_MS, now)) {
      readAt = now;
      read(now).catch(() => {
        state = 'unknown';
      });
    }
    return state;
  };
}
