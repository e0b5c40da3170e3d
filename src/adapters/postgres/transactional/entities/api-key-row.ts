/** Table api_key. Only the key's SHA-256 is stored. */
import { defineEntity, p } from '@mikro-orm/core';
import type { ApiKeySummary } from '#application/ports/auth/stores/api-key-store.ts';
import type { ApiKeyId, OrgId } from '#domain/ids.ts';
import { UserRow } from './user-row.ts';

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
