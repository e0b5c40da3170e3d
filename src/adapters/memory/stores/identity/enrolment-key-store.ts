import type { StagedMap } from '#adapters/memory/tables/staged-map.ts';
import type { StoredEnrolmentKey, World } from '#adapters/memory/tables/world.ts';
import type {
  EnrolmentKeyReader,
  EnrolmentKeyWriter,
  FindEnrolmentKey,
} from '#application/ports/auth/stores/enrolment-key-store.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { EnrolmentKeyId } from '#domain/ids.ts';

export function makeEnrolmentKeyReader(world: Pick<World, 'enrolmentKeys'>): EnrolmentKeyReader {
  return {
    async list(scope) {
      return [...world.enrolmentKeys.values()]
        .filter(({ orgId, revokedAt }) => revokedAt === null && canReach(scope, orgId))
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
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
  keys: StagedMap<EnrolmentKeyId, StoredEnrolmentKey>,
  scope: AccessScope,
): EnrolmentKeyWriter {
  return {
    async add(key) {
      const { id, orgId, siteId, name, expiresAt, createdAt, keySha256 } = key;
      if (!canReach(scope, orgId) || !world.organizations.has(orgId)) return 'unknown-organization';
      if (siteId !== null && world.sites.get(siteId)?.orgId !== orgId) return 'unknown-site';
      const isTaken = [...keys.entries()].some(
        ([, other]) => other.id === id || other.keySha256 === keySha256,
      );
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
