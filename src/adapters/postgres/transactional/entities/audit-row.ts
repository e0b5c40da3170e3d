/** Table audit_log: written and read, never changed. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AuditActor, AuditEntry } from '#domain/audit/audit-entry.ts';
import type { AuditEntryId, OrgId, PartnerId } from '#domain/ids.ts';

export const AuditRow = defineEntity({
  name: 'AuditRow',
  tableName: 'audit_log',
  properties: {
    id: p.uuid().primary(),
    at: p.datetime(3),
    actorType: p.text().$type<AuditEntry['actor']['type']>(),
    actorId: p.uuid().nullable(),
    orgId: p.uuid().nullable(),
    partnerId: p.uuid().nullable(),
    action: p.text().$type<AuditEntry['action']>(),
    result: p.text().$type<AuditEntry['result']>(),
    resourceType: p.text().$type<AuditEntry['resourceType']>(),
    resourceId: p.uuid().nullable(),
    details: p.json<AuditEntry['details']>(),
    requestId: p.text(),
    ip: p.text().nullable(),
  },
});

export function toAuditRow({ at, actor, ...same }: AuditEntry) {
  return { ...same, at: new Date(at), actorType: actor.type, actorId: actor.id };
}

export function toAuditEntry(row: InferEntity<typeof AuditRow>): AuditEntry {
  return {
    id: row.id as AuditEntryId,
    at: row.at.getTime(),
    actor: { type: row.actorType, id: row.actorId ?? null } as AuditActor,
    orgId: (row.orgId ?? null) as OrgId | null,
    partnerId: (row.partnerId ?? null) as PartnerId | null,
    action: row.action,
    result: row.result,
    resourceType: row.resourceType,
    resourceId: row.resourceId ?? null,
    details: row.details,
    requestId: row.requestId,
    ip: row.ip ?? null,
  };
}
