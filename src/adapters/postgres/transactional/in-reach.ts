import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';

/** Restricts a statement to organizations in reach; row-level security is the second check. */
export function inReach(scope: AccessScope): { orgId?: { $in: OrgId[] } } {
  const orgIds = reachableOrgIds(scope);
  return orgIds === null ? {} : { orgId: { $in: [...orgIds] } };
}
