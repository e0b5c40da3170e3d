import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import { toStoredApiKey } from '#adapters/memory/tables/users.ts';
import type { StoredEnrolmentKey, World } from '#adapters/memory/tables/world.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type {
  ApiKeyReader,
  ApiKeySummary,
  ApiKeyWriter,
} from '#application/ports/auth/stores/api-key-store.ts';
import type {
  EnrolmentKeyReader,
  EnrolmentKeyWriter,
  FindEnrolmentKey,
} from '#application/ports/auth/stores/enrolment-key-store.ts';
import type { SigningKey, SigningKeyStore } from '#application/ports/auth/stores/signing-key-store.ts';
import { type AccessScope, canReach, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import { attributionOf, isWithinReach } from '#domain/access/ownership.ts';
import type { EpochMs } from '#domain/time.ts';

export function makeApiKeyReader(world: Pick<World, 'apiKeys' | 'users'>): ApiKeyReader {
  return {
    async list(userId, scope = SYSTEM_SCOPE) {
      const user = world.users.get(userId);
      if (user === undefined || !isWithinReach(scope, attributionOf(user.membership))) return [];
      return [...world.apiKeys.values()]
        .filter((key) => key.userId === userId && key.revokedAt === null)
        .sort(byAge)
        .map(toApiKeySummary);
    },
  };
}

export function byAge(
  a: { readonly createdAt: EpochMs; readonly id: string },
  b: { readonly createdAt: EpochMs; readonly id: string },
): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}

export function toApiKeySummary({
  id,
  name,
  orgId,
  permissions,
  expiresAt,
  createdAt,
}: ApiKeySummary): ApiKeySummary {
  return { id, name, orgId, permissions: [...permissions], expiresAt, createdAt };
}

export function makeApiKeyWriter(tables: StagedTables, digestSecret: DigestSecret): ApiKeyWriter {
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

export function makeEnrolmentKeyReader(world: Pick<World, 'enrolmentKeys'>): EnrolmentKeyReader {
  return {
    async list(scope) {
      return [...world.enrolmentKeys.values()]
        .filter(({ orgId, revokedAt }) => revokedAt === null && canReach(scope, orgId))
        .sort(byAge)
        .map(toEnrolmentKey);
    },
  };
}

export function makeFindEnrolmentKey(world: Pick<World, 'enrolmentKeys'>): FindEnrolmentKey {
  return async (keySha256) => {
    const found = world.enrolmentKeys
      .values()
      .find((key) => key.keySha256 === keySha256 && key.revokedAt === null);
    return found === undefined ? null : toEnrolmentKey(found);
  };
}

export function makeEnrolmentKeyWriter(
  world: Pick<World, 'organizations' | 'sites'>,
  { enrolmentKeys: keys }: Pick<StagedTables, 'enrolmentKeys'>,
  scope: AccessScope,
): EnrolmentKeyWriter {
  return {
    async add(key) {
      const { id, orgId, siteId, name, expiresAt, createdAt, keySha256 } = key;
      if (!canReach(scope, orgId) || !world.organizations.has(orgId)) return 'unknown-organization';
      if (siteId !== null && world.sites.get(siteId)?.orgId !== orgId) return 'unknown-site';
      const isTaken = keys.values().some((other) => other.id === id || other.keySha256 === keySha256);
      if (isTaken) throw new Error(`enrolment key ${id} already exists`);
      keys.set(id, { id, orgId, siteId, name, expiresAt, createdAt, keySha256, revokedAt: null });
      return null;
    },
    async revoke(id, revokedAt) {
      const key = keys.get(id);
      if (key === null || key.revokedAt !== null || !canReach(scope, key.orgId)) return null;
      keys.set(id, { ...key, revokedAt });
      return toEnrolmentKey(key);
    },
  };
}

function toEnrolmentKey({ keySha256: _sha256, revokedAt: _at, ...key }: StoredEnrolmentKey): EnrolmentKey {
  return key;
}

/** Signing keys are lost when the process ends. */
export function makeSigningKeyStore(): SigningKeyStore {
  let keys: readonly SigningKey[] = [];
  return {
    async list() {
      return keys;
    },
    async add(key, unlessSince) {
      if (keys.some(({ createdAt }) => createdAt >= unlessSince)) return false;
      const added = Object.freeze({ ...key, privateJwk: Object.freeze({ ...key.privateJwk }) });
      keys = Object.freeze([added, ...keys].sort((a, b) => b.createdAt - a.createdAt));
      return true;
    },
    async removeCreatedBefore(instant) {
      keys = Object.freeze(keys.filter(({ createdAt }) => createdAt >= instant));
    },
  };
}
