import { type ApplicationError, ORGANIZATION_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import { type AccessScope, narrowTo } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { isInReach } from './is-in-reach.ts';

/**
 * The scope narrowed to one organization, or unchanged for null (Contract: §10, `orgId`). `not_found` if the
 * organization is unknown or out of reach.
 */
export type NarrowReach = (call: Call, orgId: OrgId | null) => Promise<Result<AccessScope, ApplicationError>>;

/** Ports of the check. */
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
