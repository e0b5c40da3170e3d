import type { EntityManager } from '@mikro-orm/postgresql';
import { classifyFailure } from '#adapters/postgres/database-error.ts';
import { recordChange } from '#adapters/postgres/transactional/entities/audit-row.ts';
import { OrganizationRow, PartnerRow } from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import { ApiKeyRow, toApiKeySummary } from '#adapters/postgres/transactional/entities/key-rows.ts';
import {
  PasskeyRow,
  UserOrganizationRow,
  UserRow,
} from '#adapters/postgres/transactional/entities/user-rows.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type {
  AccountRefusal,
  AccountStore,
  AccountSummary,
} from '#application/ports/auth/stores/account-store.ts';
import type { NewPerson } from '#application/ports/auth/stores/link-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { attributionOf } from '#domain/access/ownership.ts';
import type { Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { toApiKeyRow } from './key-stores.ts';

export interface AccountStoreDeps {
  readonly orm: Orm;
  readonly hashPassword: PasswordHasher;
  readonly digestSecret: DigestSecret;
  readonly sealTotpSecret: (secret: string, userId: UserId) => string;
  readonly clock: Clock;
}

export function makeAccountStore(deps: AccountStoreDeps): AccountStore {
  const { orm, hashPassword, digestSecret, sealTotpSecret, clock } = deps;
  return {
    createUser: async (user, makeEntry) => {
      const passwordHash = await hashPassword(user.password);
      try {
        return await orm.withScope(SYSTEM_SCOPE, async (em): Promise<Result<void, AccountRefusal>> => {
          const refusal = await missingMembership(em, user);
          if (refusal !== null) return err(refusal);
          const totpSecret = user.totpSecret === null ? null : sealTotpSecret(user.totpSecret, user.id);
          createRows(em, user, { passwordHash, totpSecret }, new Date(clock()));
          await recordChange(em, makeEntry?.());
          return ok(undefined);
        });
      } catch (error) {
        if (classifyFailure(error) === 'duplicate') return err('email-taken');
        throw error;
      }
    },

    createApiKey: (key, makeEntry) =>
      orm.withScope(SYSTEM_SCOPE, async (em): Promise<Result<void, AccountRefusal>> => {
        if ((await em.count(UserRow, { id: key.userId, status: 'active' })) === 0) return err('unknown-user');
        if (key.orgId !== null && (await em.count(OrganizationRow, { id: key.orgId })) === 0) {
          return err('unknown-organization');
        }
        em.create(ApiKeyRow, toApiKeyRow(key, digestSecret, new Date(clock())));
        await recordChange(em, makeEntry?.());
        return ok(undefined);
      }),

    findUserByEmail: (email) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const where = { emailLc: foldCase(email), status: 'active' as const };
        const row = await em.findOne(UserRow, where, { fields: ['id'] });
        return row?.id ?? null;
      }),

    listApiKeys: () =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const newestFirst = { createdAt: 'desc', id: 'desc' } as const;
        const rows = await em.find(
          ApiKeyRow,
          { revokedAt: null },
          { populate: ['user'], orderBy: newestFirst },
        );
        return rows.map((row) => ({
          ...toApiKeySummary(row),
          user: { id: row.user.id, email: row.user.email },
        }));
      }),

    listUsers: (orgId) => listAccounts(orm, orgId === null ? {} : { orgId }),
    findAccounts: (email) => listAccounts(orm, { emailLc: foldCase(email) }),
  };
}

function listAccounts(
  orm: Orm,
  where: { readonly orgId?: OrgId; readonly emailLc?: string },
): Promise<readonly AccountSummary[]> {
  return orm.withScope(SYSTEM_SCOPE, async (em) => {
    const users = await em.find(
      UserRow,
      { ...where, status: { $ne: 'deleted' as const } },
      { orderBy: { emailLc: 'asc', id: 'asc' } },
    );
    const subsets = await em.find(UserOrganizationRow, {
      user: { $in: users.filter(({ hasOrgSubset }) => hasOrgSubset) },
    });
    const keyed = await em.find(PasskeyRow, { user: { $in: users } }, { fields: ['user'] });
    const withPasskey = new Set(keyed.map(({ user }) => user.id));
    const orgIdsOf = Map.groupBy(subsets, ({ user }) => user.id);
    return users.map((user) => ({
      id: user.id,
      email: user.email,
      name: user.name,
      isPlatformAdmin: user.isPlatformAdmin,
      status: livingStatus(user),
      membership: membershipOf(user, (orgIdsOf.get(user.id) ?? []).map(({ org }) => org.id).sort()),
      permissions: [...user.permissions].sort(),
      isMfaEnrolled: user.totpSecret !== null || withPasskey.has(user.id),
    }));
  });
}

function livingStatus({ id, status }: UserRow): AccountSummary['status'] {
  if (status === 'deleted') throw new Error(`user ${id} is erased`);
  return status;
}

export function membershipOf(
  { scope, orgId, partnerId, hasOrgSubset }: UserRow,
  subset: readonly OrgId[],
): Membership {
  if (scope === 'organization' && orgId !== null) return { scope, orgId };
  if (scope === 'partner' && partnerId !== null) {
    return { scope, partnerId, orgIds: hasOrgSubset ? subset : null };
  }
  return { scope: 'system' };
}

export async function missingMembership(
  em: EntityManager,
  { membership }: Pick<UserRecord, 'membership'>,
): Promise<AccountRefusal | null> {
  if (membership.scope === 'system') return null;
  if (membership.scope === 'partner' && (await em.count(PartnerRow, { id: membership.partnerId })) === 0) {
    return 'unknown-partner';
  }
  const orgIds = membership.scope === 'organization' ? [membership.orgId] : (membership.orgIds ?? []);
  const wanted = [...new Set(orgIds)];
  const owner = membership.scope === 'partner' ? { partner: membership.partnerId } : {};
  const found = wanted.length === 0 ? 0 : await em.count(OrganizationRow, { id: { $in: wanted }, ...owner });
  return found === wanted.length ? null : 'unknown-organization';
}

function createRows(
  em: EntityManager,
  user: NewPerson,
  secrets: Pick<UserRow, 'passwordHash' | 'totpSecret'>,
  now: Date,
): void {
  const row = em.create(UserRow, toUserRow(user, { ...secrets, status: 'active' }, now));
  for (const org of subsetOf(user)) em.create(UserOrganizationRow, { user: row, org });
}

/** The organizations to which a partner's user is limited. Empty if there is no limit. */
export function subsetOf({ membership }: Pick<NewPerson, 'membership'>): ReadonlySet<OrgId> {
  return new Set(membership.scope === 'partner' ? membership.orgIds : null);
}

export function toUserRow(
  user: NewPerson,
  secrets: Pick<UserRow, 'passwordHash' | 'totpSecret' | 'status'>,
  now: Date,
) {
  const { membership } = user;
  return {
    ...secrets,
    id: user.id,
    email: user.email,
    emailLc: foldCase(user.email),
    name: user.name,
    scope: membership.scope,
    ...attributionOf(membership),
    hasOrgSubset: membership.scope === 'partner' && membership.orgIds !== null,
    permissions: [...user.permissions],
    isPlatformAdmin: user.isPlatformAdmin,
    lastTotpStep: null,
    passwordEpoch: 1,
    mfaEpoch: 1,
    authEpoch: 1,
    createdAt: now,
    updatedAt: now,
  };
}
