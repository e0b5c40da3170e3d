/** Always update enrolment keys with the caller's scope in the `where`. */
import { defineEntity, p } from '@mikro-orm/core';
import type { ApiKeySummary } from '#application/ports/auth/stores/api-key-store.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { ApiKeyId, EnrolmentKeyId, OrgId, SiteId } from '#domain/ids.ts';
import { UserRow } from './user-rows.ts';

const ApiKeySchema = defineEntity({
  name: 'ApiKeyRow',
  tableName: 'api_key',
  properties: {
    id: p.uuid().$type<ApiKeyId>().primary(),
    keySha256: p.text(),
    user: () => p.manyToOne(UserRow),
    name: p.text(),
    orgId: p.uuid().$type<OrgId>().strictNullable(),
    permissions: p.array(),
    expiresAt: p.datetime(3).strictNullable(),
    revokedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});

export class ApiKeyRow extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKeyRow);

export function toApiKeySummary(row: ApiKeyRow): ApiKeySummary {
  return {
    id: row.id,
    name: row.name,
    orgId: row.orgId,
    permissions: row.permissions,
    expiresAt: row.expiresAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
  };
}

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

export function toEnrolmentKeyRow(key: EnrolmentKey & { readonly keySha256: string }) {
  return {
    ...key,
    expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt),
    revokedAt: null,
    createdAt: new Date(key.createdAt),
  };
}

const SealingKeySchema = defineEntity({
  name: 'SealingKeyRow',
  tableName: 'sealing_key',
  properties: {
    keyId: p.text().primary(),
    canary: p.text(),
  },
});

export class SealingKeyRow extends SealingKeySchema.class {}
SealingKeySchema.setClass(SealingKeyRow);

const SigningKeySchema = defineEntity({
  name: 'SigningKeyRow',
  tableName: 'signing_key',
  properties: {
    kid: p.text().primary(),
    privateJwk: p.text(),
    createdAt: p.datetime(3),
  },
});

export class SigningKeyRow extends SigningKeySchema.class {}
SigningKeySchema.setClass(SigningKeyRow);
