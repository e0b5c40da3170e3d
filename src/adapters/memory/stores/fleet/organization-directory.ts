import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { NamedThing, NamesInReach } from '#application/ports/fleet/names-in-reach.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import type { ListTenants, Tenants, TenantWriter } from '#application/ports/fleet/tenant-directory.ts';
import { canReach } from '#domain/access/access-scope.ts';
import type { OrganizationRecord, PartnerRecord } from '#domain/fleet/fleet-record.ts';

export function makeOrganizationDirectory(world: Pick<World, 'organizations'>): OrganizationDirectory {
  return async (orgId) => world.organizations.has(orgId);
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

export function makeTenantWriter({
  partners,
  organizations,
}: Pick<StagedTables, 'partners' | 'organizations'>): TenantWriter {
  return {
    hold: async () => listTenants(partners.values(), organizations.values()),
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

export function makeNamesInReach(world: Pick<World, 'organizations' | 'sites'>): NamesInReach {
  return async (scope, kind) => {
    const found: readonly NamedThing[] =
      kind === 'organization'
        ? [...world.organizations.values()].filter(({ id }) => canReach(scope, id))
        : [...world.sites.values()].filter(({ orgId }) => canReach(scope, orgId));
    return found.map(({ id, name }) => ({ id, name })).sort((a, b) => (a.id < b.id ? -1 : 1));
  };
}
