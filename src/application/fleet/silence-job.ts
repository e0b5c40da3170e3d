/** The job that makes devices offline that were heard of and are not any more (Contract: §13). */
import { isDueAgain } from '#application/due-again.ts';
import type { Job } from '#application/job.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { SilenceMarker } from '#application/ports/fleet/silence-marker.ts';
import { MINUTE_MS } from '#domain/time.ts';

export interface SilenceJobDeps {
  readonly markSilent: SilenceMarker;
  /** The longest silence of a device that is online. */
  readonly offlineAfterMinutes: number;
  readonly clock: Clock;
}

/** How many devices are locked at once; their reports wait meanwhile. */
const BATCH = 500;

export function makeSilenceJob({ markSilent, offlineAfterMinutes, clock }: SilenceJobDeps): Job {
  let doneAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'silent devices',
    concurrency: 1,
    run: async ({ stopping }) => {
      const now = clock();
      if (!isDueAgain(doneAt, MINUTE_MS, now)) return;
      for (let marked = BATCH; marked === BATCH && !stopping.aborted; ) {
        marked = await markSilent(now - offlineAfterMinutes * MINUTE_MS, BATCH);
      }
      doneAt = now;
    },
  };
}
