/** The jobs of the worker: mails, deletions, months of the audit log, silent machines, searches, titles. */
import type { Composition, Parts } from './composition.ts';
import type { Run } from './ingredients.ts';

export async function prepareWorker(parts: Parts, run: Run): Promise<Composition['startWorker']> {
  const { startWorker } = await import('#adapters/system/worker.ts');
  const { makeMailJob } = await import('#application/mail/mail-job.ts');
  const { makeAuditMonthsJob } = await import('#application/audit/audit-months-job.ts');
  const { makeSystemEntryFactory } = await import('#application/audit/make-entry.ts');
  const { makeErasureJob } = await import('#application/deletion/complete-deletions.ts');
  const { makeSilenceJob } = await import('#application/fleet/silence-job.ts');
  const { makeUnusedTitlesJob } = await import('#application/fleet/unused-titles-job.ts');
  const { makeTidySearchJob } = await import('#application/search/tidy-search-job.ts');
  const { DEFAULT_EXPIRATION_HOURS, silenceMinutes } = await import('#domain/inventory/device-inventory.ts');
  const { backend, clock, newId, log, completeDeletions } = parts;
  const { inventoryExpirationHours = DEFAULT_EXPIRATION_HOURS } = run.config;
  const makeSystemEntry = makeSystemEntryFactory({ clock, newId });
  return (settings) => {
    const { sendMail: send = parts.sendMail, removeMailCopies: removeCopies, baseUrl, intervalMs } = settings;
    if (send === null) throw new Error('startWorker needs a sendMail: pass one to it or to compose');
    const { auditRetentionDays: retentionDays = null } = settings;
    const { offlineAfterMinutes = silenceMinutes(inventoryExpirationHours) } = settings;
    const { mailOutbox: outbox } = backend;
    const mail = makeMailJob({ outbox, send, removeCopies, baseUrl, clock, log, random: Math.random });
    const { auditArchive: archive } = backend;
    const auditMonths = makeAuditMonthsJob({ archive, retentionDays, makeSystemEntry, clock, log });
    const silence = makeSilenceJob({ markSilent: backend.markSilent, offlineAfterMinutes, clock });
    const tidySearch = makeTidySearchJob({ tidySearch: backend.tidySearch, clock });
    const { removeUnusedTitles } = backend;
    const unusedTitles = makeUnusedTitlesJob({ removeUnusedTitles, clock });
    const jobs = [mail, makeErasureJob(completeDeletions), auditMonths, silence, tidySearch, unusedTitles];
    const worker = startWorker({ jobs, intervalMs, log });
    run.worker = worker;
    return worker;
  };
}
