import type { Organization, Partner, Person } from '#adapters/http/api-types.ts';
import type { Access } from '#console/api/people.ts';
import { words } from '#console/app/words.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import { type Giver, mayGive } from '#domain/access/rights.ts';
import { membershipOf } from './rights.ts';

export interface AccessDraft {
  /** A key of `placesToGive`; empty if none is chosen. */
  readonly place: string;
  /** The organizations of partner staff; null for all. */
  readonly orgIds: readonly string[] | null;
  readonly permissions: readonly string[];
}

const SYSTEM = 'system';

type Owner = Pick<Person, 'scope' | 'orgId' | 'partnerId' | 'orgIds'>;

export function draftOf(person: Owner & Pick<Person, 'permissions'>): AccessDraft {
  const { scope, orgId, partnerId, orgIds, permissions } = person;
  const place = scope === 'system' ? SYSTEM : `${scope}:${orgId ?? partnerId}`;
  return { place, orgIds, permissions };
}

function ownerOf({ place, orgIds }: AccessDraft): Owner {
  if (place === SYSTEM) return { scope: SYSTEM, orgId: null, partnerId: null, orgIds: null };
  const [scope, id = ''] = place.split(':');
  return scope === 'partner'
    ? { scope, orgId: null, partnerId: id, orgIds }
    : { scope: 'organization', orgId: id, partnerId: null, orgIds: null };
}

export function partnerIn(draft: AccessDraft): string | null {
  return ownerOf(draft).partnerId;
}

export function toAccess(draft: AccessDraft): Access {
  const { scope, orgId, partnerId, orgIds } = ownerOf(draft);
  return {
    scope,
    ...(orgId !== null && { orgId }),
    ...(partnerId !== null && { partnerId, orgIds }),
    permissions: draft.permissions,
  };
}

export function faultsOf({ place, orgIds }: AccessDraft): {
  readonly place: string | null;
  readonly orgIds: string | null;
} {
  return {
    place: place === '' ? words.people.organizationMissing : null,
    orgIds: orgIds?.length === 0 ? words.people.organizationsMissing : null,
  };
}

/** Titles by the keys of `AccessDraft.place`, organizations first. */
export function placesToGive(
  giver: Giver,
  organizations: readonly Organization[],
  partners: readonly Pick<Partner, 'id' | 'name'>[],
): Readonly<Record<string, string>> {
  const hasPartners = partners.length > 1;
  const offered = [
    ...organizations.map(
      ({ id, name, partnerName }) =>
        [`organization:${id}`, hasPartners ? `${name} (${partnerName})` : name] as const,
    ),
    ...partners.map(({ id, name }) => [`partner:${id}`, words.people.wholePartner(name)] as const),
    [SYSTEM, words.people.everything] as const,
  ];
  return Object.fromEntries(
    offered.filter(([place]) =>
      mayGive(giver, {
        membership: membershipOf(ownerOf({ place, orgIds: null, permissions: [] })),
        permissions: [],
        isPlatformAdmin: false,
      }),
    ),
  );
}

/** People can give only permissions that they hold. */
export function permissionsToGive({ permissions }: Giver): readonly string[] {
  return ADMINISTRATOR_PERMISSIONS.filter((permission) => permissions.has(permission));
}
