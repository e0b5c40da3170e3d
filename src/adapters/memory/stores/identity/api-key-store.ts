import type { AccessTables } from '#adapters/memory/tables/access-tables.ts';
import { toStoredApiKey } from '#adapters/memory/tables/users.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { ApiKeyReader, ApiKeyWriter } from '#application/ports/auth/stores/api-key-store.ts';

export function makeApiKeyReader(world: Pick<World, 'apiKeys'>): ApiKeyReader {
  return {
    async list(userId) {
      return [...world.apiKeys.values()]
        .filter((key) => key.userId === userId && key.revokedAt === null)
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
        .map(({ id, name, orgId, permissions, expiresAt, createdAt }) => ({
          id,
          name,
          orgId,
          permissions: [...permissions],
          expiresAt,
          createdAt,
        }));
    },
  };
}

export function makeApiKeyWriter(tables: AccessTables, digestSecret: DigestSecret): ApiKeyWriter {
  return {
    async add(record, createdAt) {
      const key = toStoredApiKey(record, digestSecret, createdAt);
      tables.apiKeys.set(key.id, key);
      tables.apiKeyIdsBySha256.set(key.sha256, key.id);
    },
    async revoke(userId, id, revokedAt) {
      const key = tables.apiKeys.get(id);
      if (key?.userId !== userId || key.revokedAt !== null) return null;
      tables.apiKeys.set(id, { ...key, revokedAt });
      return { name: key.name };
    },
  };
}
