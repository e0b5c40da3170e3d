/** Merges search blocks, so searches stay fast after many small changes. */
import { isDueAgain, type Job } from '#application/job.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { SearchTidier } from '#application/ports/search/search-tidier.ts';
import { MINUTE_MS } from '#domain/time.ts';

export interface TidySearchJobDeps {
  readonly tidySearch: SearchTidier;
  readonly clock: Clock;
}

/** Blocks merged per transaction. */
const BATCH = 200;

export function makeTidySearchJob({ tidySearch, clock }: TidySearchJobDeps): Job {
  let doneAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'search blocks',
    concurrency: 1,
    run: async ({ stopping }) => {
      const now = clock();
      if (!isDueAgain(doneAt, MINUTE_MS, now)) return;
      for (let made = BATCH; made >= BATCH && !stopping.aborted; ) made = await tidySearch(BATCH);
      doneAt = now;
    },
  };
}
