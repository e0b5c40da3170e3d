import { recordChange } from '#adapters/memory/stores/audit-stores.ts';
import {
  findActiveByEmail,
  findByEmail,
  putApiKey,
  putUser,
  toStoredApiKey,
  toStoredUser,
} from '#adapters/memory/tables/users.ts';
import type { StoredUser, World } from '#adapters/memory/tables/world.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type {
  AccountRefusal,
  AccountStore,
  AccountSummary,
} from '#application/ports/auth/stores/account-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { OrganizationRecord, UserRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { byAge, toApiKeySummary } from './key-stores.ts';
import { passkeysOf } from './passkey-stores.ts';

export interface AccountStoreDeps {
  readonly world: World;
  readonly hashPassword: PasswordHasher;
  readonly digestSecret: DigestSecret;
  readonly clock: Clock;
}

export function makeAccountStore(deps: AccountStoreDeps): AccountStore {
  const { world, hashPassword, digestSecret, clock } = deps;
  return {
    async createUser(user, makeEntry) {
      // Hashing is slow on purpose, so it happens outside the lock.
      const stored = await toStoredUser(user, hashPassword, clock());
      return world.lock(async () => {
        if (world.users.has(user.id)) throw new Error(`user ${user.id} already exists`);
        const refusal = refuseUser(world, user);
        if (refusal !== null) return err(refusal);
        const entry = await makeEntry?.();
        putUser(world, stored);
        recordChange(world, entry);
        return ok(undefined);
      });
    },
    async createApiKey(key, makeEntry) {
      return world.lock(async () => {
        if (world.apiKeys.has(key.id)) throw new Error(`API key ${key.id} already exists`);
        if (world.users.get(key.userId)?.status !== 'active') return err('unknown-user');
        if (key.orgId !== null && !world.organizations.has(key.orgId)) return err('unknown-organization');
        const stored = toStoredApiKey(key, digestSecret, clock());
        if (world.apiKeyIdsBySha256.has(stored.sha256))
          throw new Error('an API key with the same secret already exists');
        const entry = await makeEntry?.();
        putApiKey(world, stored);
        recordChange(world, entry);
        return ok(undefined);
      });
    },
    async findUserByEmail(email) {
      return findActiveByEmail(world, email)?.id ?? null;
    },
    async listUsers(orgId) {
      return summarize(
        world,
        [...world.users.values()].filter(
          ({ membership }) =>
            orgId === null || (membership.scope === 'organization' && membership.orgId === orgId),
        ),
      );
    },
    async listApiKeys() {
      return [...world.apiKeys.values()]
        .filter((key) => key.revokedAt === null)
        .sort(byAge)
        .flatMap((key) => {
          const user = world.users.get(key.userId);
          const { id, email } = user ?? {};
          return id === undefined || email === undefined
            ? []
            : [{ ...toApiKeySummary(key), user: { id, email } }];
        });
    },
    async findAccounts(email) {
      const wanted = foldCase(email);
      return summarize(
        world,
        [...world.users.values()].filter((user) => foldCase(user.email) === wanted),
      );
    },
  };
}

function summarize(world: World, users: readonly StoredUser[]): readonly AccountSummary[] {
  return users
    .map(({ id, email, name, isPlatformAdmin, status, membership, permissions, totpSecret }) => ({
      id,
      email,
      name,
      isPlatformAdmin,
      status,
      membership: structuredClone(membership),
      permissions: [...permissions].sort(),
      isMfaEnrolled: totpSecret !== null || passkeysOf(world, id).length > 0,
    }))
    .sort((a, b) => compare(foldCase(a.email), foldCase(b.email)) || compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function refuseUser(world: World, user: UserRecord): AccountRefusal | null {
  return findByEmail(world, user.email) === undefined ? missingMembership(world, user) : 'email-taken';
}

interface Tenants {
  readonly partners: { get(id: PartnerId): unknown };
  readonly organizations: { get(id: OrgId): OrganizationRecord | null | undefined };
}

export function missingMembership(
  { partners, organizations }: Tenants,
  { membership }: Pick<UserRecord, 'membership'>,
): AccountRefusal | null {
  switch (membership.scope) {
    case 'system':
      return null;
    case 'organization':
      return organizations.get(membership.orgId) == null ? 'unknown-organization' : null;
    case 'partner': {
      const { partnerId, orgIds } = membership;
      if (partners.get(partnerId) == null) return 'unknown-partner';
      const isOurs = (orgIds ?? []).every((id) => organizations.get(id)?.partnerId === partnerId);
      return isOurs ? null : 'unknown-organization';
    }
  }
}
