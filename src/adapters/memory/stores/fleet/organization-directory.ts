import type { StagedMap, StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { NamedThing, NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import type {
  OrganizationDirectory,
  OrganizationsOfPartner,
} from '#application/ports/fleet/organization-directory.ts';
import {
  type ListTenants,
  NameTakenError,
  type Place,
  type PlaceKind,
  type Tenants,
  type TenantWriter,
} from '#application/ports/fleet/tenant-directory.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';
import { attributionOf, mayChangeFor, ownersInReach } from '#domain/access/ownership.ts';
import { ownerOfFilter } from '#domain/filter/saved-filter.ts';
import type { OrganizationRecord, Owner, PartnerRecord, SiteRecord } from '#domain/fleet/fleet-record.ts';
import { isSameName } from '#domain/fleet/tenant-name.ts';
import type { OrgId, PartnerId, SiteId } from '#domain/ids.ts';
import type { DeviceChanges } from './device-writer.ts';

export function makeOrganizationDirectory(world: Pick<World, 'organizations'>): OrganizationDirectory {
  return async (orgId) => world.organizations.has(orgId);
}

export function makeOrganizationsOfPartner(
  world: Pick<World, 'organizations' | 'partners'>,
): OrganizationsOfPartner {
  return async (partnerId) => {
    if (!world.partners.has(partnerId)) return null;
    return [...world.organizations.values()]
      .filter((organization) => organization.partnerId === partnerId)
      .map(({ id }) => id);
  };
}

export function makeTenantLister({
  partners,
  organizations,
}: Pick<World, 'organizations' | 'partners'>): ListTenants {
  return async () => listTenants(partners.values(), organizations.values());
}

function listTenants(
  partners: IteratorObject<PartnerRecord>,
  organizations: IteratorObject<OrganizationRecord>,
): Tenants {
  return {
    partners: [...partners.map(({ id, name }) => ({ id, name }))].sort(byName),
    organizations: [...organizations.map(({ id, partnerId, name }) => ({ id, partnerId, name }))].sort(
      byName,
    ),
  };
}

export function makeTenantWriter(
  world: World,
  tables: StagedTables,
  scope: AccessScope,
  changes: DeviceChanges,
): TenantWriter {
  const { partners, organizations, sites } = tables;
  const find = (kind: PlaceKind, id: string): Place | null => {
    if (kind === 'partner') {
      const partner = partners.get(id as PartnerId);
      const isReached = mayChangeFor(scope, { kind: 'partner', partnerId: id as PartnerId });
      return partner === null || !isReached ? null : { id, parentId: null, name: partner.name };
    }
    const place = kind === 'organization' ? organizations.get(id as OrgId) : sites.get(id as SiteId);
    if (place === null || !canReach(scope, place.kind === 'site' ? place.orgId : place.id)) return null;
    return { id, parentId: place.kind === 'site' ? place.orgId : place.partnerId, name: place.name };
  };
  const put = (kind: PlaceKind, { id, parentId, name }: Place) => {
    const others: readonly (PartnerRecord | OrganizationRecord | SiteRecord)[] = [
      ...(kind === 'partner' ? partners : kind === 'organization' ? organizations : sites).values(),
    ];
    const isTaken = others.some(
      (other) => other.id !== id && parentOf(other) === parentId && isSameName(other.name, name),
    );
    if (isTaken) throw new NameTakenError();
    if (kind === 'partner') partners.set(id as PartnerId, { kind, id: id as PartnerId, name });
    else if (kind === 'organization') {
      organizations.set(id as OrgId, { kind, id: id as OrgId, partnerId: parentId as PartnerId, name });
    } else sites.set(id as SiteId, { kind, id: id as SiteId, orgId: parentId as OrgId, name });
  };
  return {
    hold: async () => listTenants(partners.values(), organizations.values()),
    addPartner: async (partner) => partners.set(partner.id, { kind: 'partner', ...partner }),
    addOrganization: async (organization) => {
      if (scope.kind !== 'system') throw new Error('this needs the system scope');
      organizations.set(organization.id, { kind: 'organization', ...organization });
    },
    find: async (kind, id) => find(kind, id),
    add: async (kind, place) => {
      if (kind === 'organization' && partners.get(place.parentId as PartnerId) === null) return false;
      if (kind === 'site' && organizations.get(place.parentId as OrgId) === null) return false;
      put(kind, place);
      return true;
    },
    rename: async (kind, place) => put(kind, place),
    remove: async (kind, { id }) => {
      if (kind === 'site') {
        for (const device of world.devices.snapshot(null)) {
          if (device.siteId === id) changes.devices.set(device.id, { ...device, siteId: null });
        }
        for (const key of [...tables.enrolmentKeys.values()]) {
          if (key.siteId === id) tables.enrolmentKeys.set(key.id, { ...key, siteId: null });
        }
        sites.delete(id as SiteId);
        return true;
      }
      return removeOrganization(world, tables, id as OrgId);
    },
  };
}

function parentOf(place: PartnerRecord | OrganizationRecord | SiteRecord): string | null {
  switch (place.kind) {
    case 'partner':
      return null;
    case 'organization':
      return place.partnerId;
    case 'site':
      return place.orgId;
  }
}

function removeOrganization(world: World, tables: StagedTables, orgId: OrgId): boolean {
  const isHere = (thing: { readonly orgId: OrgId | null }) => thing.orgId === orgId;
  const people = [...tables.users.values()].map(({ membership }) => attributionOf(membership));
  if (people.some(isHere) || [...tables.filters.values()].some(isHere)) return false;
  if (!world.devices.snapshot([orgId]).next().done) return false;
  const owners = [tables.alerts, tables.enrolmentKeys, tables.apiKeys, tables.sites];
  for (const table of owners as readonly StagedMap<string, { readonly orgId: OrgId | null }>[]) {
    for (const [id, row] of [...table.entries()]) if (isHere(row)) table.delete(id);
  }
  for (const table of [tables.customFields, tables.scripts] as readonly StagedMap<
    string,
    { readonly owner: Owner }
  >[]) {
    for (const [id, { owner }] of [...table.entries()]) {
      if (owner.kind === 'organization' && owner.orgId === orgId) table.delete(id);
    }
  }
  const partnerId = tables.organizations.get(orgId)?.partnerId ?? null;
  for (const [id, stored] of [...tables.deletionRequests.entries()]) {
    if (!isHere(stored.request)) continue;
    tables.deletionRequests.set(id, { ...stored, request: { ...stored.request, orgId: null, partnerId } });
  }
  tables.organizations.delete(orgId);
  return true;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function byName(a: Named, b: Named): number {
  return a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1;
}

export function makeNamesInReach(world: Pick<World, 'organizations' | 'sites' | 'filters'>): NamesInReach {
  return async (scope, kind) => {
    const find = (): readonly NamedThing[] => {
      switch (kind) {
        case 'organization':
          return [...world.organizations.values()].filter(({ id }) => canReach(scope, id));
        case 'site':
          return [...world.sites.values()].filter(({ orgId }) => canReach(scope, orgId));
        case 'filter': {
          const isInReach = ownersInReach(scope, (orgId) => world.organizations.get(orgId)?.partnerId);
          return [...world.filters.values()].filter((filter) => isInReach(ownerOfFilter(filter)));
        }
      }
    };
    return find()
      .map(({ id, name }) => ({ id, name }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  };
}
