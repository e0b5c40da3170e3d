/** The audit log as a list that only grows. */
import type { World } from '#adapters/memory/tables/world.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { AuditDetail, AuditEntry } from '#domain/audit/audit-entry.ts';

export function makeAuditLog(world: Pick<World, 'auditEntries'>): AuditLog {
  return async (entry) => void world.auditEntries.push(freezeEntry(entry));
}

/** A frozen copy. */
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
