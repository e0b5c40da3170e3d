/** Users and API keys on PostgreSQL, one at a time. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { classifyFailure } from '#adapters/postgres/database-error.ts';
import type { AccountRefusal, AccountStore } from '#application/ports/auth/account-store.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { Clock } from '#application/ports/clock.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { toApiKeyRow } from './api-key-store.ts';
import {
  ApiKeyRow,
  OrganizationRow,
  PartnerRow,
  UserOrganizationRow,
  UserRow,
} from './entities/access-rows.ts';
import type { Orm } from './orm.ts';

export interface AccountStoreDeps {
  readonly orm: Orm;
  readonly hashPassword: PasswordHasher;
  readonly digestSecret: DigestSecret;
  readonly sealSecret: (secret: string) => string;
  readonly clock: Clock;
}

export function makeAccountStore(deps: AccountStoreDeps): AccountStore {
  const { orm, hashPassword, digestSecret, sealSecret, clock } = deps;
  return {
    createUser: async (user) => {
      const passwordHash = await hashPassword(user.password);
      try {
        return await orm
          .within(SYSTEM_SCOPE)
          .transactional(async (em): Promise<Result<void, AccountRefusal>> => {
            const refusal = await missingMembership(em, user);
            if (refusal !== null) return err(refusal);
            const now = new Date(clock());
            const { membership } = user;
            const orgIds = membership.scope === 'partner' ? membership.orgIds : null;
            await em.insert(UserRow, {
              id: user.id,
              email: user.email,
              emailLc: foldCase(user.email),
              name: user.name,
              passwordHash,
              scope: membership.scope,
              orgId: membership.scope === 'organization' ? membership.orgId : null,
              partnerId: membership.scope === 'partner' ? membership.partnerId : null,
              hasOrgSubset: orgIds !== null,
              permissions: [...user.permissions],
              isPlatformAdmin: user.isPlatformAdmin,
              totpSecret: user.totpSecret === null ? null : sealSecret(user.totpSecret),
              status: 'active',
              authEpoch: 1,
              createdAt: now,
              updatedAt: now,
            });
            for (const orgId of new Set(orgIds))
              await em.insert(UserOrganizationRow, { userId: user.id, orgId });
            return ok(undefined);
          });
      } catch (error) {
        // The unique index on the email is the judge, also between two at once.
        if (classifyFailure(error) === 'duplicate') return err('email-taken');
        throw error;
      }
    },

    createApiKey: (key) =>
      orm.within(SYSTEM_SCOPE).transactional(async (em): Promise<Result<void, AccountRefusal>> => {
        if ((await em.count(UserRow, { id: key.userId, status: 'active' })) === 0) return err('unknown-user');
        if (key.orgId !== null && (await em.count(OrganizationRow, { id: key.orgId })) === 0) {
          return err('unknown-organization');
        }
        await em.insert(ApiKeyRow, toApiKeyRow(key, digestSecret, new Date(clock())));
        return ok(undefined);
      }),

    findUserByEmail: async (email) => {
      const row = await orm
        .within(SYSTEM_SCOPE)
        .findOne(UserRow, { emailLc: foldCase(email), status: 'active' });
      return row === null ? null : (row.id as UserId);
    },
  };
}

async function missingMembership(
  em: EntityManager,
  { membership }: UserRecord,
): Promise<AccountRefusal | null> {
  if (membership.scope === 'system') return null;
  if (membership.scope === 'partner' && (await em.count(PartnerRow, { id: membership.partnerId })) === 0) {
    return 'unknown-partner';
  }
  const orgIds = membership.scope === 'organization' ? [membership.orgId] : (membership.orgIds ?? []);
  const wanted = [...new Set<string>(orgIds)];
  const owner = membership.scope === 'partner' ? { partnerId: membership.partnerId } : {};
  const found = wanted.length === 0 ? 0 : await em.count(OrganizationRow, { id: { $in: wanted }, ...owner });
  return found === wanted.length ? null : 'unknown-organization';
}
