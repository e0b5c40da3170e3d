/** Audit entries as JSON text, field by field (Contract: §8). */
import { printAuditCursor } from '#adapters/http/read/audit-cursor.ts';
import type { AuditPage } from '#application/audit/read-audit-log.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { printInstant } from '#domain/text/print-instant.ts';

/** `{data, nextCursor}`; the cursor is null on the last page. */
export function presentAuditPage({ entries, next }: AuditPage): string {
  return JSON.stringify({
    data: entries.map(toBody),
    nextCursor: next === null ? null : printAuditCursor(next),
  });
}

function toBody(entry: AuditEntry): object {
  const { id, actor, orgId, action, result, resourceType, resourceId, details, requestId, ip } = entry;
  return {
    id,
    at: printInstant(entry.at),
    actor: { type: actor.type, id: actor.id },
    orgId,
    action,
    result,
    resourceType,
    resourceId,
    details,
    requestId,
    ip,
  };
}
