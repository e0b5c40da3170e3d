import { type ApplicationError, ORGANIZATION_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import { type AccessScope, canReach, narrowTo } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

export async function isInReach(
  organizationExists: OrganizationDirectory,
  reach: AccessScope,
  orgId: OrgId,
): Promise<boolean> {
  return canReach(reach, orgId) && (reach.kind !== 'system' || (await organizationExists(orgId)));
}

/**
 * Narrows the caller's scope to one organization (Contract: §10). A null `orgId` leaves the scope unchanged.
 * `not_found` if the organization is unknown or out of reach.
 */
export type NarrowReach = (call: Call, orgId: OrgId | null) => Promise<Result<AccessScope, ApplicationError>>;

export interface NarrowReachDeps {
  readonly organizationExists: OrganizationDirectory;
}

export function makeNarrowReach({ organizationExists }: NarrowReachDeps): NarrowReach {
  return async ({ caller: { scope } }, orgId) => {
    if (orgId === null) return ok(scope);
    return (await isInReach(organizationExists, scope, orgId))
      ? ok(narrowTo(scope, orgId))
      : err(ORGANIZATION_NOT_FOUND);
  };
}
