import { type AccessScope, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';

/** On rows with `orgId` and `partnerId`. */
export interface AttributionFilter {
  orgId?: { $in: OrgId[] };
  $or?: ({ orgId: { $in: OrgId[] } } | { orgId: null; partnerId: PartnerId })[];
}

/** `isWithinReach` as a condition. The query checks reach first, row-level security second. */
export function withinReach(scope: AccessScope): AttributionFilter {
  const orgIds = reachableOrgIds(scope);
  if (orgIds === null) return {};
  const ofOrganizations = { orgId: { $in: [...orgIds] } };
  return scope.kind === 'partner' && scope.isWhole
    ? { $or: [ofOrganizations, { orgId: null, partnerId: scope.partnerId }] }
    : ofOrganizations;
}
