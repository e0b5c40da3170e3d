import type { Job } from '#application/job.ts';
import type { CompleteDeletions } from './complete-deletions.ts';

/**
 * The back office as a worker job (Contract: §7, "Back office"). One at a time, because erasures are rare and workers
 * share them.
 */
export function makeErasureJob(completeDeletions: CompleteDeletions): Job {
  return {
    name: 'erasure',
    concurrency: 1,
    run: async ({ stopping }) => {
      await completeDeletions(stopping);
    },
  };
}
