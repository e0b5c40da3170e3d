/** Which organizations there are, from the world. */
import type { OrganizationDirectory } from '#application/ports/organization-directory.ts';
import type { World } from './world.ts';

export function makeOrganizationDirectory(world: Pick<World, 'organizations'>): OrganizationDirectory {
  return async (orgId) => world.organizations.has(orgId);
}
