import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';

/** Whether the organization exists and the scope reaches it. */
export async function isInReach(
  organizationExists: OrganizationDirectory,
  reach: AccessScope,
  orgId: OrgId,
): Promise<boolean> {
  return canReach(reach, orgId) && (reach.kind !== 'system' || (await organizationExists(orgId)));
}
