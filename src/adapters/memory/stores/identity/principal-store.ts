import type { StoredUser, World } from '#adapters/memory/tables/world.ts';
import type { PrincipalStore } from '#application/ports/auth/stores/principal-store.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { Principal } from '#domain/access/principal.ts';
import { passkeysOf } from './passkey-stores.ts';

type Tables = Pick<
  World,
  'users' | 'organizations' | 'apiKeys' | 'apiKeyIdsBySha256' | 'sessions' | 'passkeys'
>;

export function makePrincipalStore(world: Tables): PrincipalStore {
  return {
    async findUser(userId) {
      const user = world.users.get(userId);
      return user?.status === 'active' ? toPrincipal(world, user) : null;
    },
    async findApiKey(keySha256) {
      const id = world.apiKeyIdsBySha256.get(keySha256);
      const key = id === undefined ? undefined : world.apiKeys.get(id);
      const user = key === undefined ? undefined : world.users.get(key.userId);
      if (key === undefined || user?.status !== 'active') return null;
      return {
        grant: {
          id: key.id,
          orgId: key.orgId,
          permissions: new Set(key.permissions),
          expiresAt: key.expiresAt,
          isRevoked: key.revokedAt !== null,
        },
        user: toPrincipal(world, user),
      };
    },
  };
}

export function toPrincipal(world: Tables, user: StoredUser): Principal {
  return {
    userId: user.id,
    scope: toScope(world, user),
    permissions: new Set(user.permissions),
    isPlatformAdmin: user.isPlatformAdmin,
    authEpoch: user.authEpoch,
    isMfaEnrolled: user.totpSecret !== null || passkeysOf(world, user.id).length > 0,
    mfaEpoch: user.mfaEpoch,
    endedSessionIds: new Set(
      [...world.sessions.values()]
        .filter(({ userId, endedAt }) => userId === user.id && endedAt !== null)
        .map(({ id }) => id),
    ),
  };
}

export function toScope(world: Pick<World, 'organizations'>, { membership }: StoredUser): AccessScope {
  switch (membership.scope) {
    case 'system':
      return SYSTEM_SCOPE;
    case 'organization':
      return { kind: 'organization', orgId: membership.orgId };
    case 'partner': {
      const { partnerId } = membership;
      const subset = membership.orgIds === null ? null : new Set(membership.orgIds);
      const orgIds = [...world.organizations.values()]
        .filter((organization) => organization.partnerId === partnerId)
        .map(({ id }) => id)
        .filter((id) => subset === null || subset.has(id));
      return { kind: 'partner', partnerId, orgIds, isWhole: subset === null };
    }
  }
}
