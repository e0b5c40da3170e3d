/** A user's API keys on PostgreSQL. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ApiKeyReader, ApiKeyWriter } from '#application/ports/auth/api-key-store.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';
import type { ApiKeyId, OrgId } from '#domain/ids.ts';
import { ApiKeyRow } from './entities/access-rows.ts';
import type { Orm } from './orm.ts';

export function makeApiKeyReader(orm: Orm): ApiKeyReader {
  return {
    list: async (userId) => {
      const rows = await orm
        .within(SYSTEM_SCOPE)
        .find(ApiKeyRow, { userId, revokedAt: null }, { orderBy: { createdAt: 'desc', id: 'desc' } });
      return rows.map(({ id, name, orgId, permissions, expiresAt, createdAt }) => ({
        id: id as ApiKeyId,
        name,
        orgId: (orgId ?? null) as OrgId | null,
        permissions,
        expiresAt: expiresAt?.getTime() ?? null,
        createdAt: createdAt.getTime(),
      }));
    },
  };
}

/** The keys of one transaction. */
export function apiKeyWriter(em: EntityManager, digestSecret: DigestSecret): ApiKeyWriter {
  return {
    add: async (key, createdAt) => {
      await em.insert(ApiKeyRow, toApiKeyRow(key, digestSecret, new Date(createdAt)));
    },
    revoke: async (userId, id, at) => {
      const count = await em.nativeUpdate(
        ApiKeyRow,
        { id, userId, revokedAt: null },
        { revokedAt: new Date(at) },
      );
      return count === 1;
    },
  };
}

export function toApiKeyRow(key: ApiKeyRecord, digestSecret: DigestSecret, createdAt: Date) {
  return {
    id: key.id,
    keySha256: digestSecret(key.key),
    userId: key.userId,
    name: key.name,
    orgId: key.orgId,
    permissions: [...key.permissions],
    expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt),
    revokedAt: null,
    createdAt,
  };
}
