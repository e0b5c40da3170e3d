/** Which tenants there are, from the world. */
import type { World } from '#adapters/memory/tables/world.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import type { ListTenants } from '#application/ports/fleet/tenant-directory.ts';

export function makeOrganizationDirectory(world: Pick<World, 'organizations'>): OrganizationDirectory {
  return async (orgId) => world.organizations.has(orgId);
}

export function makeTenantLister(world: Pick<World, 'organizations' | 'partners'>): ListTenants {
  return async () => ({
    partners: [...world.partners.values()].map(({ id, name }) => ({ id, name })).sort(byName),
    organizations: [...world.organizations.values()]
      .map(({ id, partnerId, name }) => ({ id, partnerId, name }))
      .sort(byName),
  });
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function byName(a: Named, b: Named): number {
  return a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1;
}
