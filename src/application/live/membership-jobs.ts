/** Jobs that keep the members of watched filters up to date, and forget old changes (Contract: §17). */
import { isDueAgain, type Job } from '#application/job.ts';
import type { Clock, SharedClock } from '#application/ports/clock.ts';
import type { Memberships } from '#application/ports/live/memberships.ts';
import type { PartnerId } from '#domain/ids.ts';
import { DAY_MS, type EpochMs, MINUTE_MS } from '#domain/time.ts';
import type { EvaluateMemberships } from './evaluate-memberships.ts';

/**
 * The pause between two runs if no notifications arrive, as behind a pooler. Changes must reach readers
 * within a second.
 */
const LOOK_EVERY_MS = 200;

/** Time between the starts of two runs. Changes in between are evaluated together. */
const SHORTEST_GAP_MS = 50;

/** Several, because evaluations mostly wait for the database. */
const EVALUATIONS_AT_ONCE = 4;

/** Time until a partner's failed evaluation is repeated. */
const RETRY_AFTER_MS = 10_000;

export interface MembershipsJobDeps {
  readonly memberships: Pick<Memberships, 'waiting' | 'listen'>;
  readonly evaluate: EvaluateMemberships;
  readonly clock: Clock;
}

export function makeMembershipsJob({ memberships, evaluate, clock }: MembershipsJobDeps): Job {
  const failed = new Map<PartnerId, EpochMs>();
  let startedAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'memberships',
    concurrency: 1,
    intervalMs: LOOK_EVERY_MS,
    listen: (wake) => memberships.listen('marks', wake),
    run: async ({ stopping }) => {
      const failures: unknown[] = [];
      const early = startedAt + SHORTEST_GAP_MS - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      startedAt = performance.now();
      const waiting = (await memberships.waiting(clock())).values();
      const evaluateNext = async () => {
        for (const partnerId of waiting) {
          if (stopping.aborted) break;
          const failedAt = failed.get(partnerId) ?? Number.NEGATIVE_INFINITY;
          if (!isDueAgain(failedAt, RETRY_AFTER_MS, clock())) continue;
          failed.delete(partnerId);
          // One partner's failure must not hold up the others.
          await evaluate(partnerId).catch((error: unknown) => {
            failed.set(partnerId, clock());
            failures.push(error);
          });
        }
      };
      await Promise.all(Array.from({ length: EVALUATIONS_AT_ONCE }, evaluateNext));
      if (failures.length > 0) throw failures[0];
    },
  };
}

export interface OldChangesJobDeps {
  readonly memberships: Pick<Memberships, 'forget'>;
  readonly retentionDays: number;
  readonly retentionCount: number;
  readonly clock: Clock | SharedClock;
}

const FORGET_EVERY_MS = 10 * MINUTE_MS;

export function makeOldChangesJob(deps: OldChangesJobDeps): Job {
  const { memberships, retentionDays, retentionCount, clock } = deps;
  let doneAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'old changes',
    concurrency: 1,
    run: async () => {
      const now = await clock();
      if (!isDueAgain(doneAt, FORGET_EVERY_MS, now)) return;
      await memberships.forget(now - retentionDays * DAY_MS, retentionCount);
      doneAt = now;
    },
  };
}
