/** Prepares the audit log's coming months, and drops months past retention (Contract: §8). */
import { isDueAgain, type Job } from '#application/job.ts';
import type { AuditArchive } from '#application/ports/audit/audit-archive.ts';
import type { Clock, SharedClock } from '#application/ports/clock.ts';
import type { Log } from '#application/ports/log.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import type { MakeSystemEntry } from './make-entry.ts';

export interface AuditMonthsJobDeps {
  readonly archive: AuditArchive;
  /** Days after a month's end until its entries are dropped; null keeps them for ever. */
  readonly retentionDays: number | null;
  readonly makeSystemEntry: MakeSystemEntry;
  readonly clock: Clock | SharedClock;
  readonly log: Log;
}

const EVERY_MS = HOUR_MS;

export function makeAuditMonthsJob(deps: AuditMonthsJobDeps): Job {
  const { archive, retentionDays, makeSystemEntry, clock, log } = deps;
  let doneAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'audit months',
    concurrency: 1,
    run: async () => {
      const now = await clock();
      if (!isDueAgain(doneAt, EVERY_MS, now)) return;
      await archive.prepareMonths(now);
      if (retentionDays !== null) {
        const dropped = await archive.dropMonthsBefore(now - retentionDays * DAY_MS, (months) =>
          makeSystemEntry({
            action: 'audit.months_dropped',
            resourceId: null,
            orgId: null,
            partnerId: null,
            details: { months, retentionDays },
          }),
        );
        if (dropped.length > 0) log.info({ months: dropped }, 'audit log: months past retention dropped');
      }
      doneAt = now;
    },
  };
}
