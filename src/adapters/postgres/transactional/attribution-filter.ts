/** What counts towards a tenant, as the condition of a query; see `isWithinReach`. */
import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';

/** On rows with `orgId` and `partnerId`. */
export interface AttributionFilter {
  orgId?: { $in: OrgId[] };
  $or?: ({ orgId: { $in: OrgId[] } } | { orgId: null; partnerId: PartnerId })[];
}

/** Keeps a query to the rows in reach, so that row-level security is the second check and not the first. */
export function withinReach(scope: AccessScope): AttributionFilter {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return {};
  const ofOrganizations = { orgId: { $in: [...orgIds] } };
  return scope.kind === 'partner' && scope.isWhole
    ? { $or: [ofOrganizations, { orgId: null, partnerId: scope.partnerId }] }
    : ofOrganizations;
}
