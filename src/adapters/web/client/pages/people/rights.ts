/** Decides which controls to show, by the API's rule (Contract: §16, "Rights"). */
import { useQuery } from '@tanstack/react-query';
import type { Partner, Person, User } from '#adapters/http/api-types.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { ownRecordQuery } from '#console/api/people.ts';
import { partnersQuery } from '#console/api/tenants.ts';
import { useApi } from '#console/app/services.ts';
import { holds, useUser } from '#console/app/user.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { type Giver, isOwnAccount, mayGive } from '#domain/access/rights.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';

/** Undefined while loading. */
export function useGiver(): Giver | undefined {
  const api = useApi();
  const user = useUser();
  // Without users:write, the API refuses to return the user's own record.
  const isStaff = user.scope === 'partner' && holds(user, USERS_WRITE);
  const { data: own } = useQuery({ ...ownRecordQuery(api, user.id), enabled: isStaff });
  const { data: organizations } = useQuery({ ...organizationsQuery(api), enabled: isStaff });
  if (isStaff && (own === undefined || organizations === undefined)) return undefined;
  const orgIds = (organizations ?? []).map(({ id }) => id as OrgId);
  return giverOf(user, orgIds, own != null && own.orgIds === null);
}

/** Partners that the giver administers. */
export function usePartners({ userId, scope: { kind } }: Giver): readonly Pick<Partner, 'id' | 'name'>[] {
  const api = useApi();
  const { data: all } = useQuery({ ...partnersQuery(api), enabled: kind === 'system' });
  const { data: own } = useQuery({ ...ownRecordQuery(api, userId), enabled: kind === 'partner' });
  const ownPartner = own?.partner == null ? [] : [own.partner];
  return all ?? ownPartner;
}

/** `orgIds` and `isWhole` matter only for partner staff. */
export function giverOf(
  user: Pick<User, 'id' | 'scope' | 'orgId' | 'partnerId' | 'permissions' | 'isPlatformAdmin'>,
  orgIds: readonly OrgId[],
  isWhole: boolean,
): Giver {
  return {
    userId: user.id as UserId,
    scope: scopeOf(user, orgIds, isWhole),
    permissions: new Set(user.permissions),
    isPlatformAdmin: user.isPlatformAdmin,
  };
}

function scopeOf(
  { scope, orgId, partnerId }: Pick<User, 'scope' | 'orgId' | 'partnerId'>,
  orgIds: readonly OrgId[],
  isWhole: boolean,
): AccessScope {
  switch (scope) {
    case 'system':
      return { kind: 'system' };
    case 'partner':
      return { kind: 'partner', partnerId: partnerId as PartnerId, orgIds, isWhole };
    case 'organization':
      return { kind: 'organization', orgId: orgId as OrgId };
    case 'none':
      return { kind: 'none' };
  }
}

export function membershipOf({
  scope,
  orgId,
  partnerId,
  orgIds,
}: Pick<Person, 'scope' | 'orgId' | 'partnerId' | 'orgIds'>): Membership {
  switch (scope) {
    case 'system':
      return { scope };
    case 'partner':
      return { scope, partnerId: partnerId as PartnerId, orgIds: orgIds as readonly OrgId[] | null };
    case 'organization':
      return { scope, orgId: orgId as OrgId };
  }
}

export type Hold = 'may-change' | 'own-account' | 'beyond';

export function holdOn(giver: Giver, person: Person): Hold {
  if (isOwnAccount(giver, person.id as UserId)) return 'own-account';
  return mayGive(giver, { ...person, membership: membershipOf(person) }) ? 'may-change' : 'beyond';
}
