/** Users and API keys as far as access goes. It is asked before a tenant is known, and so with system scope. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PrincipalStore } from '#application/ports/principal-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Principal } from '#domain/access/api-key.ts';
import type { ApiKeyId, OrgId, PartnerId, UserId } from '#domain/ids.ts';
import type { Orm } from './orm.ts';

const SYSTEM: AccessScope = { kind: 'system' };

export function makePrincipalStore(orm: Orm): PrincipalStore {
  return {
    findUser: async (userId) => {
      const [row] = await query<UserColumns>(
        orm.within(SYSTEM),
        `${SELECT_USER} where u.id = ? and ${ACTIVE}`,
        userId,
      );
      return row === undefined ? null : toPrincipal(row);
    },
    findApiKey: async (keySha256) => {
      const [row] = await query<UserColumns & KeyColumns>(
        orm.within(SYSTEM),
        `${SELECT_KEY} where k.key_sha256 = ? and ${ACTIVE}`,
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

interface UserColumns {
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

interface KeyColumns {
  readonly key_id: string;
  readonly key_org_id: string | null;
  readonly key_permissions: readonly string[];
  readonly expires_at: string | null;
  readonly is_revoked: boolean;
}

const ACTIVE = `u.status = 'active'`;

// A subset names organizations; those that went over to another partner are out of reach all the same.
const USER_COLUMNS = `
  u.id as user_id, u.scope::text, u.org_id, u.partner_id, u.has_org_subset, u.permissions, u.is_platform_admin,
  u.auth_epoch, u.totp_secret is not null as is_mfa_enrolled, u.mfa_epoch,
  array(select s.id::text from session s where s.user_id = u.id and s.ended_at is not null) as ended_sessions,
  case when u.scope = 'partner' then array(
    select o.id::text from organization o
    where o.partner_id = u.partner_id
      and (not u.has_org_subset
           or exists (select 1 from app_user_organization uo where uo.user_id = u.id and uo.org_id = o.id))
    order by o.id
  ) end as reachable`;

const SELECT_USER = `select ${USER_COLUMNS} from app_user u`;

const SELECT_KEY = `
  select ${USER_COLUMNS}, k.id as key_id, k.org_id as key_org_id, k.permissions as key_permissions,
    extract(epoch from k.expires_at) * 1000 as expires_at, k.revoked_at is not null as is_revoked
  from api_key k join app_user u on u.id = k.user_id`;

async function query<T>(em: EntityManager, sql: string, parameter: string): Promise<readonly T[]> {
  return em.transactional((tx) => tx.execute<T[]>(sql, [parameter]));
}

function toPrincipal(row: UserColumns): Principal {
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

function toScope(row: UserColumns): AccessScope {
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
      return SYSTEM;
  }
}
