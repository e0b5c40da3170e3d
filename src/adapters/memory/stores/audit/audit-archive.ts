/** The months of the audit log; in memory none has to be prepared. */
import type { World } from '#adapters/memory/tables/world.ts';
import type { AuditArchive } from '#application/ports/audit/audit-archive.ts';
import type { EpochMs } from '#domain/time.ts';
import { freezeEntry } from './audit-log.ts';

export function makeAuditArchive({ auditEntries }: Pick<World, 'auditEntries'>): AuditArchive {
  return {
    prepareMonths: async () => undefined,
    async dropMonthsBefore(instant, makeEntry) {
      const isOver = ({ at }: { readonly at: EpochMs }) => endOfMonth(at) <= instant;
      const over = auditEntries.filter(isOver);
      const months = [...new Set(over.map(({ at }) => new Date(at).toISOString().slice(0, 7)))].toSorted();
      if (months.length === 0) return [];
      const entry = freezeEntry(makeEntry(months));
      const kept = auditEntries.filter((known) => !isOver(known));
      auditEntries.splice(0, auditEntries.length, ...kept, entry);
      return months;
    },
  };
}

function endOfMonth(at: EpochMs): EpochMs {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
