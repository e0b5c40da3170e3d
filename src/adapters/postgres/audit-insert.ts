import type { ClientBase } from 'pg';
import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';

export function auditInsert(entries: readonly AuditEntry[]): {
  name: string;
  text: string;
  values: string[];
} {
  return { name: 'audit', text: INSERT, values: [JSON.stringify(entries.map(auditRow))] };
}

export async function recordChange(
  client: ClientBase,
  made: ReturnType<MakeChangeEntry> | undefined,
): Promise<void> {
  const entry = await made;
  if (entry !== null && entry !== undefined) await client.query(auditInsert([entry]));
}

const INSERT = `
  insert into audit_log (id, at, actor_type, actor_id, org_id, partner_id, action, result,
                         resource_type, resource_id, details, request_id, ip)
  select id, at, actor_type, actor_id, org_id, partner_id, action, result,
         resource_type, resource_id, details, request_id, ip
  from json_to_recordset($1::json) as entry(
    id uuid, at timestamptz, actor_type text, actor_id uuid, org_id uuid, partner_id uuid, action text,
    result text, resource_type text, resource_id uuid, details jsonb, request_id text, ip text)`;

export function auditRow(entry: AuditEntry) {
  return {
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    actor_type: entry.actor.type,
    actor_id: entry.actor.id,
    org_id: entry.orgId,
    partner_id: entry.partnerId,
    action: entry.action,
    result: entry.result,
    resource_type: entry.resourceType,
    resource_id: entry.resourceId,
    details: entry.details,
    request_id: entry.requestId,
    ip: entry.ip,
  };
}
