/** Organizations and partners own filters. A partner's filter covers all its organizations (Contract: §18). */
import { useQuery } from '@tanstack/react-query';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';

export type OwnerIds = Pick<SavedFilter, 'orgId' | 'partnerId'>;

export interface FilterOwners {
  /** Owners that the user may choose: titles by id, partners first. */
  readonly choices: Readonly<Record<string, string>>;
  /** Null if the user reaches no organization, or several. */
  readonly onlyOrgId: string | null;
  readonly idsOf: (chosen: string) => OwnerIds;
  readonly titleOf: (owner: OwnerIds) => string;
  readonly mayChange: (owner: OwnerIds) => boolean;
  readonly covers: (owner: OwnerIds, orgId: string) => boolean;
  /** Whether the owner's filters may refer to `filter`. Always true before an owner is chosen. */
  readonly mayName: (owner: OwnerIds, filter: OwnerIds) => boolean;
  /** The organizations of the owner's partner; null if the user reaches no others, or no partner owns the filter. */
  readonly orgIdsOf: (owner: OwnerIds) => readonly string[] | null;
}

export function useOwners(): FilterOwners {
  const user = useUser();
  const { data: organizations = [] } = useQuery(organizationsQuery(useApi()));
  const partners = new Map(organizations.map(({ partnerId, partnerName }) => [partnerId, partnerName]));
  const partnerOf = new Map(organizations.map(({ id, partnerId }) => [id, partnerId]));
  const mayChangeFor = (partnerId: string) =>
    user.scope === 'system' || (user.isWholePartner && user.partnerId === partnerId);
  const changeable = [...partners].filter(([id]) => mayChangeFor(id));
  const titleOfPartner = (id: string) => words.filters.allOrganizations(partners.get(id) ?? null);
  const covers = (owner: OwnerIds, orgId: string) =>
    owner.orgId === orgId || (owner.partnerId ?? '') === partnerOf.get(orgId);
  return {
    choices: Object.fromEntries([
      ...changeable.map(([id]) => [id, titleOfPartner(id)]),
      ...organizations.map(({ id, name }) => [id, name]),
    ]),
    onlyOrgId: organizations.length === 1 ? (organizations[0]?.id ?? null) : null,
    idsOf: (chosen) => ({
      orgId: partnerOf.has(chosen) ? chosen : null,
      partnerId: partners.has(chosen) ? chosen : null,
    }),
    titleOf: ({ orgId, partnerId }) =>
      partnerId === null
        ? (organizations.find(({ id }) => id === orgId)?.name ?? '')
        : titleOfPartner(partnerId),
    mayChange: ({ partnerId }) => partnerId === null || mayChangeFor(partnerId),
    covers,
    mayName: ({ orgId, partnerId }, filter) =>
      orgId === null ? partnerId === null || partnerId === filter.partnerId : covers(filter, orgId),
    orgIdsOf: ({ partnerId }) =>
      partnerId === null || partners.size < 2
        ? null
        : organizations.filter((one) => one.partnerId === partnerId).map(({ id }) => id),
  };
}
