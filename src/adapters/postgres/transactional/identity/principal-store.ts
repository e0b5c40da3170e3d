/** Reads use the system scope: no tenant is known yet. */
import { isRefusedInMaintenance } from '#adapters/postgres/database-error.ts';
import { UserRow } from '#adapters/postgres/transactional/entities/user-rows.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import type { PrincipalStore } from '#application/ports/auth/stores/principal-store.ts';
import type { SignInAccount, SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { ApiKeyId, OrgId, PartnerId, SessionId, UserId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';

interface PrincipalColumns {
  readonly user_id: string;
  readonly scope: 'organization' | 'partner' | 'system';
  readonly org_id: string | null;
  readonly partner_id: string | null;
  readonly has_org_subset: boolean;
  readonly permissions: readonly string[];
  readonly is_platform_admin: boolean;
  readonly auth_epoch: number;
  readonly is_mfa_enrolled: boolean;
  readonly mfa_epoch: number;
  readonly ended_sessions: readonly string[];
  readonly reachable: readonly string[] | null;
}

export const IS_ACTIVE = `u.status = 'active'`;

// A user limited to some organizations loses access to each one that moves to another partner.
const PRINCIPAL_COLUMNS = `
  u.id as user_id, u.scope::text, u.org_id, u.partner_id, u.has_org_subset, u.permissions, u.is_platform_admin,
  u.auth_epoch, u.mfa_epoch,
  u.totp_secret is not null or exists (select 1 from passkey p where p.user_id = u.id) as is_mfa_enrolled,
  array(select s.id::text from session s where s.user_id = u.id and s.ended_at is not null) as ended_sessions,
  case when u.scope = 'partner' then array(
    select o.id::text from organization o
    where o.partner_id = u.partner_id
      and (not u.has_org_subset
           or exists (select 1 from app_user_organization uo where uo.user_id = u.id and uo.org_id = o.id))
    order by o.id
  ) end as reachable`;

function toPrincipal(row: PrincipalColumns): Principal {
  return {
    userId: row.user_id as UserId,
    scope: toScope(row),
    permissions: new Set(row.permissions),
    isPlatformAdmin: row.is_platform_admin,
    authEpoch: row.auth_epoch,
    isMfaEnrolled: row.is_mfa_enrolled,
    mfaEpoch: row.mfa_epoch,
    endedSessionIds: new Set(row.ended_sessions),
  };
}

function toScope(row: PrincipalColumns): AccessScope {
  switch (row.scope) {
    case 'organization':
      return { kind: 'organization', orgId: row.org_id as OrgId };
    case 'partner':
      return {
        kind: 'partner',
        partnerId: row.partner_id as PartnerId,
        orgIds: (row.reachable ?? []) as readonly OrgId[],
        isWhole: !row.has_org_subset,
      };
    case 'system':
      return SYSTEM_SCOPE;
  }
}

/** Uses raw SQL, because it runs for every authenticated request. */
export function makePrincipalStore(orm: Orm): PrincipalStore {
  const query = <T>(sql: string, parameter: string) =>
    orm.withScope(SYSTEM_SCOPE, (em) => em.execute<T[]>(sql, [parameter]));
  return {
    findUser: async (userId) => {
      const [row] = await query<PrincipalColumns>(`${SELECT_USER} where u.id = ? and ${IS_ACTIVE}`, userId);
      return row === undefined ? null : toPrincipal(row);
    },
    findApiKey: async (keySha256) => {
      const [row] = await query<PrincipalColumns & KeyColumns>(
        `${SELECT_KEY} where k.key_sha256 = ? and ${IS_ACTIVE}`,
        keySha256,
      );
      if (row === undefined) return null;
      return {
        user: toPrincipal(row),
        grant: {
          id: row.key_id as ApiKeyId,
          orgId: row.key_org_id as OrgId | null,
          permissions: new Set(row.key_permissions),
          expiresAt: row.expires_at === null ? null : Number(row.expires_at),
          isRevoked: row.is_revoked,
        },
      };
    },
  };
}

interface KeyColumns {
  readonly key_id: string;
  readonly key_org_id: string | null;
  readonly key_permissions: readonly string[];
  readonly expires_at: string | null;
  readonly is_revoked: boolean;
}

const SELECT_USER = `select ${PRINCIPAL_COLUMNS} from app_user u`;

const SELECT_KEY = `
  select ${PRINCIPAL_COLUMNS}, k.id as key_id, k.org_id as key_org_id, k.permissions as key_permissions,
    extract(epoch from k.expires_at) * 1000 as expires_at, k.revoked_at is not null as is_revoked
  from api_key k join app_user u on u.id = k.user_id`;

/** Uses raw SQL, because one statement reads the user and the principal. */
export function makeSignInStore(orm: Orm): SignInStore {
  const find = async (where: string, parameter: string): Promise<SignInAccount | null> => {
    const [row] = await orm.withScope(SYSTEM_SCOPE, (em) =>
      em.execute<AccountColumns[]>(`${SELECT} where ${where} and ${IS_ACTIVE}`, [parameter]),
    );
    return row === undefined ? null : toAccount(row);
  };
  return {
    findByEmail: (email) => find('u.email_lc = ?', foldCase(email)),
    findById: (userId) => find('u.id = ?', userId),
    findByRefreshToken: async (tokenSha256) => {
      const [row] = await orm.withScope(SYSTEM_SCOPE, (em) =>
        em.execute<(AccountColumns & TokenColumns)[]>(SELECT_BY_TOKEN, [tokenSha256]),
      );
      if (row === undefined) return null;
      const usedAt = row.used_at === null ? null : Number(row.used_at);
      return { account: toAccount(row), sessionId: row.session_id as SessionId, usedAt };
    },
    replacePasswordHash: async (userId, from, to) => {
      // Does nothing if the password has changed meanwhile.
      await orm
        .withScope(SYSTEM_SCOPE, (em) =>
          em.nativeUpdate(UserRow, { id: userId, passwordHash: from }, { passwordHash: to }),
        )
        .catch((error: unknown) => {
          // Sign-in succeeds even during maintenance. The next one replaces the hash.
          if (!isRefusedInMaintenance(error)) throw error;
        });
    },
  };
}

interface AccountColumns extends PrincipalColumns {
  readonly email: string;
  readonly name: string;
  readonly password_hash: string | null;
  readonly password_epoch: number;
}

interface TokenColumns {
  readonly session_id: string;
  readonly used_at: string | null;
}

const ACCOUNT_COLUMNS = `${PRINCIPAL_COLUMNS}, u.email, u.name, u.password_hash, u.password_epoch`;

const SELECT = `select ${ACCOUNT_COLUMNS} from app_user u`;

const SELECT_BY_TOKEN = `
  select ${ACCOUNT_COLUMNS}, t.session_id, (extract(epoch from t.used_at) * 1000)::bigint as used_at
  from refresh_token t join session s on s.id = t.session_id join app_user u on u.id = s.user_id
  where t.token_sha256 = ? and ${IS_ACTIVE}`;

function toAccount(row: AccountColumns): SignInAccount {
  return {
    principal: toPrincipal(row),
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    passwordEpoch: row.password_epoch,
  };
}
