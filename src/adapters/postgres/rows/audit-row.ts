/** Table audit_log: written and read, never changed. */
import { defineEntity, p } from '@mikro-orm/core';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';

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
