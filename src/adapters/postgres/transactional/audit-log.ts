/**
 * The audit log outside transactions, written in groups: entries that arrive during one write go into the next, so
 * that a thousand previews a second cost a few commits and each entry is durable before its request is answered.
 * On `pg` and not MikroORM, because one prepared statement takes a group of any size.
 */
import type { Pool } from 'pg';
import type { AuditLog } from '#application/ports/audit-log.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/** At most this many rows per statement. */
const MAX_GROUP_SIZE = 500;

interface Waiting {
  readonly entry: AuditEntry;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** `pool` connects as the service's unprivileged role. */
export function makeAuditLog(pool: Pool): AuditLog {
  let waiting: Waiting[] = [];
  let isWriting = false;

  const writeAll = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP_SIZE);
      waiting = waiting.slice(MAX_GROUP_SIZE);
      try {
        await pool.query({ name: 'audit', text: INSERT, values: [JSON.stringify(group.map(toJsonRow))] });
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isWriting = false;
  };

  return (entry) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject });
      if (!isWriting) void writeAll();
    });
}

// One parameter for any number of rows, so the prepared statement is always the same.
const INSERT = `
  insert into audit_log (id, at, actor_type, actor_id, org_id, partner_id, action, result,
                         resource_type, resource_id, details, request_id, ip)
  select id, at, actor_type, actor_id, org_id, partner_id, action, result,
         resource_type, resource_id, details, request_id, ip
  from json_to_recordset($1::json) as entry(
    id uuid, at timestamptz, actor_type text, actor_id uuid, org_id uuid, partner_id uuid, action text,
    result text, resource_type text, resource_id uuid, details jsonb, request_id text, ip text)`;

function toJsonRow({ entry }: Waiting): object {
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
