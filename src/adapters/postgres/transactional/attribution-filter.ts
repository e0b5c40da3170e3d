/** The first wall around what counts towards a tenant: the condition of a statement; see `isWithinReach`. */
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';

/** On rows with `orgId` and `partnerId`. */
export interface AttributionFilter {
  orgId?: { $in: string[] };
  $or?: ({ orgId: { $in: string[] } } | { orgId: null; partnerId: string })[];
}

export function withinReach(scope: AccessScope): AttributionFilter {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return {};
  const ofOrganizations = { orgId: { $in: [...orgIds] } };
  return scope.kind === 'partner' && scope.isWhole
    ? { $or: [ofOrganizations, { orgId: null, partnerId: scope.partnerId }] }
    : ofOrganizations;
}
