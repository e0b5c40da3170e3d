/** A scope as a condition on rows of organizations, so that row-level security is only the second check. */
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';

/** Keeps a statement to the organizations in reach. */
export function inReach(scope: AccessScope): { orgId?: { $in: OrgId[] } } {
  const orgIds = reachableOrgIds(scope);
  return orgIds === null ? {} : { orgId: { $in: [...orgIds] } };
}
