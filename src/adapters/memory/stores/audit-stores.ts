import type { World } from '#adapters/memory/tables/world.ts';
import type { AuditArchive } from '#application/ports/audit/audit-archive.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { AuditReader } from '#application/ports/audit/audit-reader.ts';
import type { BacklogReader } from '#application/ports/backlog-reader.ts';
import { isWithinReach } from '#domain/access/ownership.ts';
import type { AuditDetail, AuditEntry } from '#domain/audit/audit-entry.ts';
import { isOverdue } from '#domain/deletion/deletion-request.ts';
import type { EpochMs } from '#domain/time.ts';

export function makeAuditArchive({ auditEntries }: Pick<World, 'auditEntries'>): AuditArchive {
  return {
    prepareMonths: async () => undefined,
    async dropMonthsBefore(instant, makeEntry) {
      const isOver = ({ at }: { readonly at: EpochMs }) => endOfMonth(at) <= instant;
      const over = auditEntries.filter(isOver);
      const months = [...new Set(over.map(({ at }) => new Date(at).toISOString().slice(0, 7)))].toSorted();
      if (months.length === 0) return [];
      const entry = await makeEntry(months);
      const kept = auditEntries.filter((known) => !isOver(known));
      auditEntries.splice(0, auditEntries.length, ...kept);
      recordChange({ auditEntries }, entry);
      return months;
    },
  };
}

function endOfMonth(at: EpochMs): EpochMs {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

export function makeAuditLog(world: Pick<World, 'auditEntries'>): AuditLog {
  return async (entry) => void world.auditEntries.push(freezeEntry(entry));
}

/** Call last, when nothing else can prevent the change. */
export function recordChange(
  { auditEntries }: Pick<World, 'auditEntries'>,
  entry: AuditEntry | null | undefined,
): void {
  if (entry !== null && entry !== undefined) auditEntries.push(freezeEntry(entry));
}

export function freezeEntry(entry: AuditEntry): AuditEntry {
  return Object.freeze({
    ...entry,
    actor: Object.freeze({ ...entry.actor }),
    details: Object.freeze(
      Object.fromEntries(Object.entries(entry.details).map(([name, detail]) => [name, freezeDetail(detail)])),
    ),
  });
}

function freezeDetail(detail: AuditDetail): AuditDetail {
  return Array.isArray(detail) ? Object.freeze([...detail]) : detail;
}

export function makeAuditReader(world: Pick<World, 'auditEntries'>): AuditReader {
  return async (scope, { action, actorIds, resourceId, orgId, result, from, to, after, limit }) =>
    world.auditEntries
      .filter(
        (entry) =>
          isWithinReach(scope, entry) &&
          (action === null || entry.action === action) &&
          (actorIds === null || (entry.actor.id !== null && actorIds.includes(entry.actor.id))) &&
          (resourceId === null || entry.resourceId === resourceId) &&
          (orgId === null || entry.orgId === orgId) &&
          (result === null || entry.result === result) &&
          (from === null || entry.at >= from) &&
          (to === null || entry.at <= to) &&
          (after === null || entry.at < after.at || (entry.at === after.at && entry.id < after.id)),
      )
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      .slice(0, limit);
}

export function makeBacklogReader({
  mails,
  deletionRequests,
  live,
}: Pick<World, 'mails' | 'deletionRequests' | 'live'>): BacklogReader {
  return async (now) => {
    const queued = [...mails.values()].filter(({ status }) => status === 'queued');
    const requests = [...deletionRequests.values()].map(({ request }) => request);
    const oldest = queued.reduce(
      (first, { queuedAt }) => Math.min(first, queuedAt),
      Number.POSITIVE_INFINITY,
    );
    return {
      queuedMails: queued.length,
      oldestMailQueuedAt: queued.length === 0 ? null : oldest,
      dueDeletions: requests.filter(({ status, processBy }) => status === 'processing' && processBy <= now)
        .length,
      overdueDeletions: requests.filter((request) => isOverdue(request, now)).length,
      ...live.backlog(now),
    };
  };
}
