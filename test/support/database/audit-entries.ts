/** Reads the audit log as the owner of the database. */
import type { AuditActor, AuditEntry } from '#domain/audit/audit-entry.ts';

/** Oldest first. `query` runs a statement as the owner. */
export async function readAuditEntries(
  query: <R extends object>(sql: string) => Promise<readonly R[]>,
): Promise<readonly AuditEntry[]> {
  type Row = Omit<AuditEntry, 'at' | 'actor'> & { at: Date; actorType: string; actorId: string | null };
  const rows = await query<Row>(
    `select id, at, actor_type as "actorType", actor_id as "actorId", org_id as "orgId",
            partner_id as "partnerId", action, result, resource_type as "resourceType",
            resource_id as "resourceId", details, request_id as "requestId", ip
     from audit_log order by at, id`,
  );
  return rows.map(({ at, actorType, actorId, ...same }) => ({
    ...same,
    at: at.getTime(),
    actor: { type: actorType, id: actorId } as AuditActor,
  }));
}
