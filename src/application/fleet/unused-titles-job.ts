/** Removes software titles that no device has (Contract: §13). */
import { isDueAgain } from '#application/due-again.ts';
import type { Job } from '#application/job.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnusedTitleRemover } from '#application/ports/fleet/unused-title-remover.ts';

export interface UnusedTitlesJobDeps {
  readonly removeUnusedTitles: UnusedTitleRemover;
  readonly clock: Clock;
}

/** Titles go within a minute, the time that the work takes included. */
const EVERY_MS = 20_000;

/** In organizations. */
const BATCH = 100;

export function makeUnusedTitlesJob({ removeUnusedTitles, clock }: UnusedTitlesJobDeps): Job {
  let doneAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'unused titles',
    concurrency: 1,
    run: async ({ stopping }) => {
      const now = clock();
      if (!isDueAgain(doneAt, EVERY_MS, now)) return;
      for (let done = BATCH; done >= BATCH && !stopping.aborted; ) done = await removeUnusedTitles(BATCH);
      doneAt = now;
    },
  };
}
