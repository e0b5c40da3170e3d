import type { EntityManager } from '@mikro-orm/postgresql';
import { ApiKeyRow, toApiKeySummary } from '#adapters/postgres/transactional/entities/api-key-row.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import { FOR_UPDATE } from '#adapters/postgres/transactional/row-locks.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { ApiKeyReader, ApiKeyWriter } from '#application/ports/auth/stores/api-key-store.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';

export function makeApiKeyReader(orm: Orm): ApiKeyReader {
  return {
    list: (userId) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const where = { user: userId, revokedAt: null };
        const rows = await em.find(ApiKeyRow, where, { orderBy: { createdAt: 'desc', id: 'desc' } });
        return rows.map(toApiKeySummary);
      }),
  };
}

export function apiKeyWriter(em: EntityManager, digestSecret: DigestSecret): ApiKeyWriter {
  return {
    add: async (key, createdAt) => {
      em.create(ApiKeyRow, toApiKeyRow(key, digestSecret, new Date(createdAt)));
      await em.flush();
    },
    revoke: async (userId, id, at) => {
      const row = await em.findOne(ApiKeyRow, { id, user: userId, revokedAt: null }, FOR_UPDATE);
      if (row === null) return null;
      row.revokedAt = new Date(at);
      return { name: row.name };
    },
  };
}

export function toApiKeyRow(key: ApiKeyRecord, digestSecret: DigestSecret, createdAt: Date) {
  return {
    id: key.id,
    keySha256: digestSecret(key.key),
    user: key.userId,
    name: key.name,
    orgId: key.orgId,
    permissions: [...key.permissions],
    expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt),
    revokedAt: null,
    createdAt,
  };
}
