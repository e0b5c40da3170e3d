/** Table enrolment_key. Only the key's SHA-256 is stored. Changes carry the scope in their own predicate. */
import { defineEntity, p } from '@mikro-orm/core';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { EnrolmentKeyId, OrgId, SiteId } from '#domain/ids.ts';

const EnrolmentKeySchema = defineEntity({
  name: 'EnrolmentKeyRow',
  tableName: 'enrolment_key',
  properties: {
    id: p.uuid().$type<EnrolmentKeyId>().primary(),
    keySha256: p.text(),
    orgId: p.uuid().$type<OrgId>(),
    siteId: p.uuid().$type<SiteId>().strictNullable(),
    name: p.text(),
    expiresAt: p.datetime(3).strictNullable(),
    revokedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});

export class EnrolmentKeyRow extends EnrolmentKeySchema.class {}
EnrolmentKeySchema.setClass(EnrolmentKeyRow);

export function toEnrolmentKey(row: EnrolmentKeyRow): EnrolmentKey {
  return {
    id: row.id,
    orgId: row.orgId,
    siteId: row.siteId,
    name: row.name,
    expiresAt: row.expiresAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
  };
}

export function toEnrolmentKeyRow({
  id,
  keySha256,
  orgId,
  siteId,
  name,
  expiresAt,
  createdAt,
}: EnrolmentKey & { readonly keySha256: string }) {
  return {
    id,
    keySha256,
    orgId,
    siteId,
    name,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    revokedAt: null,
    createdAt: new Date(createdAt),
  };
}
