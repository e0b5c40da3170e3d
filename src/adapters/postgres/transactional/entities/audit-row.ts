/** Audit entries are only added and read. */
import { defineEntity, p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';
import type { AuditActor, AuditEntry } from '#domain/audit/audit-entry.ts';
import type { AuditEntryId, OrgId, PartnerId } from '#domain/ids.ts';

const AuditSchema = defineEntity({
  name: 'AuditRow',
  tableName: 'audit_log',
  properties: {
    id: p.uuid().$type<AuditEntryId>().primary(),
    at: p.datetime(3),
    actorType: p.text().$type<AuditEntry['actor']['type']>(),
    actorId: p.uuid().strictNullable(),
    orgId: p.uuid().$type<OrgId>().strictNullable(),
    partnerId: p.uuid().$type<PartnerId>().strictNullable(),
    action: p.text().$type<AuditEntry['action']>(),
    result: p.text().$type<AuditEntry['result']>(),
    resourceType: p.text().$type<AuditEntry['resourceType']>(),
    resourceId: p.uuid().strictNullable(),
    details: p.json<AuditEntry['details']>(),
    requestId: p.text(),
    ip: p.text().strictNullable(),
  },
});

export class AuditRow extends AuditSchema.class {}
AuditSchema.setClass(AuditRow);

export function toAuditRow({ at, actor, ...same }: AuditEntry) {
  return { ...same, at: new Date(at), actorType: actor.type, actorId: actor.id };
}

export async function recordChange(
  em: EntityManager,
  made: ReturnType<MakeChangeEntry> | undefined,
): Promise<void> {
  const entry = await made;
  if (entry !== null && entry !== undefined) await em.insert(AuditRow, toAuditRow(entry));
}

export function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.getTime(),
    actor: { type: row.actorType, id: row.actorId } as AuditActor,
    orgId: row.orgId,
    partnerId: row.partnerId,
    action: row.action,
    result: row.result,
    resourceType: row.resourceType,
    resourceId: row.resourceId,
    details: row.details,
    requestId: row.requestId,
    ip: row.ip,
  };
}
