import type { StagedMap } from '#adapters/memory/tables/staged-map.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import type { ListTenants, Tenants, TenantWriter } from '#application/ports/fleet/tenant-directory.ts';
import type { OrganizationRecord, PartnerRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';

export function makeOrganizationDirectory(world: Pick<World, 'organizations'>): OrganizationDirectory {
  return async (orgId) => world.organizations.has(orgId);
}

export function makeTenantLister({
  partners,
  organizations,
}: Pick<World, 'organizations' | 'partners'>): ListTenants {
  return async () => listTenants(partners, organizations);
}

function listTenants(
  partners: Iterable<readonly [PartnerId, PartnerRecord]>,
  organizations: Iterable<readonly [OrgId, OrganizationRecord]>,
): Tenants {
  return {
    partners: [...partners].map(([id, { name }]) => ({ id, name })).sort(byName),
    organizations: [...organizations]
      .map(([id, { partnerId, name }]) => ({ id, partnerId, name }))
      .sort(byName),
  };
}

/** Transactions run one at a time, so all tenants count as locked. */
export function makeTenantWriter(
  partners: StagedMap<PartnerId, PartnerRecord>,
  organizations: StagedMap<OrgId, OrganizationRecord>,
): TenantWriter {
  return {
    hold: async () => listTenants(partners.entries(), organizations.entries()),
    addPartner: async (partner) => partners.set(partner.id, { kind: 'partner', ...partner }),
    addOrganization: async (organization) =>
      organizations.set(organization.id, { kind: 'organization', ...organization }),
  };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function byName(a: Named, b: Named): number {
  return a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1;
}
