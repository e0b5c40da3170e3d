/**
 * Sends all audit entries to a log that replaces the backend's. A change's entries are sent just before the commit,
 * so an error of the log undoes the change.
 */
import type { Backend } from '#application/backend.ts';
import type { AuditLog, MakeChangeEntry } from '#application/ports/audit/audit-log.ts';
import type { ResealSecrets } from '#application/ports/auth/reseal-secrets.ts';
import type { PartnerMaintenance } from '#application/ports/partner-maintenance.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';

export function recordElsewhere(backend: Backend, auditLog: AuditLog): Backend {
  const { accounts, mailOutbox, inventoryStore, auditArchive, fleetWriter } = backend;
  const to = <Outcome extends readonly unknown[]>(makeEntry: MakeChangeEntry<Outcome> | undefined) =>
    changeInto(auditLog, makeEntry);
  return {
    ...backend,
    auditLog,
    unitOfWork: recordTransactions(backend.unitOfWork, auditLog),
    accounts: {
      ...accounts,
      createUser: (user, makeEntry) => accounts.createUser(user, to(makeEntry)),
      createApiKey: (key, makeEntry) => accounts.createApiKey(key, to(makeEntry)),
    },
    mailOutbox: {
      ...mailOutbox,
      retry: (id, now, makeEntry) => mailOutbox.retry(id, now, to(makeEntry)),
      retryAllFailed: (now, makeEntry) => mailOutbox.retryAllFailed(now, to(makeEntry)),
    },
    inventoryStore: {
      ...inventoryStore,
      store: (reading, makeEntry) => inventoryStore.store(reading, to(makeEntry)),
    },
    auditArchive: {
      ...auditArchive,
      dropMonthsBefore: (instant, makeEntry) => auditArchive.dropMonthsBefore(instant, to(makeEntry)),
    },
    fleetWriter: (source, onProgress, makeEntry, options) =>
      fleetWriter(source, onProgress, to(makeEntry), options),
  };
}

/** Collects the entries and sends them in order before the commit. */
export function recordTransactions(unitOfWork: UnitOfWork, auditLog: AuditLog): UnitOfWork {
  return (scope, work) =>
    unitOfWork(scope, async (tx) => {
      const entries: AuditEntry[] = [];
      const result = await work({ ...tx, audit: async (entry) => void entries.push(entry) });
      for (const entry of entries) await auditLog(entry);
      return result;
    });
}

export function recordResealing(resealSecrets: ResealSecrets, auditLog: AuditLog): ResealSecrets {
  return ({ makeEntry, ...options }) =>
    resealSecrets({ ...options, makeEntry: changeInto(auditLog, makeEntry) });
}

export function recordMaintenance(maintenance: PartnerMaintenance, auditLog: AuditLog): PartnerMaintenance {
  return {
    ...maintenance,
    begin: (partnerId, makeEntry, onWaiting) =>
      maintenance.begin(partnerId, changeInto(auditLog, makeEntry), onWaiting),
    end: (partnerId, makeEntry) => maintenance.end(partnerId, changeInto(auditLog, makeEntry)),
    remove: (partnerId, makeEntry) => maintenance.remove(partnerId, changeInto(auditLog, makeEntry)),
  };
}

/** Sends the entry to the log. Returns null, so the port itself records no entry. */
function changeInto<Outcome extends readonly unknown[]>(
  auditLog: AuditLog,
  makeEntry: MakeChangeEntry<Outcome> | undefined,
): MakeChangeEntry<Outcome> {
  return async (...outcome) => {
    const entry = (await makeEntry?.(...outcome)) ?? null;
    if (entry !== null) await auditLog(entry);
    return null;
  };
}
