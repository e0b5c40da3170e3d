/** A user's access as columns of a statement over `app_user u`. */
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';

export interface PrincipalColumns {
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

/** Disabled and deleted users have no access. */
export const IS_ACTIVE = `u.status = 'active'`;

// An organization in a user's subset is out of reach once it belongs to another partner.
export const PRINCIPAL_COLUMNS = `
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

export function toPrincipal(row: PrincipalColumns): Principal {
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
