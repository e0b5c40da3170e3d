/** Which organizations there are, from the world. */
import type { World } from '#adapters/memory/tables/world.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';

export function makeOrganizationDirectory(world: Pick<World, 'organizations'>): OrganizationDirectory {
  return async (orgId) => world.organizations.has(orgId);
}
