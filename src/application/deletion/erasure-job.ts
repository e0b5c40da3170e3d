/** The back office as a job of the worker (Contract: §7, "Back office"). */
import type { Job } from '#application/job.ts';
import type { CompleteDeletions } from './complete-deletions.ts';

/** One at a time: erasures are rare, and several workers share them anyway. */
export function makeErasureJob(completeDeletions: CompleteDeletions): Job {
  return {
    name: 'erasure',
    concurrency: 1,
    run: async ({ stopping }) => {
      await completeDeletions(stopping);
    },
  };
}
