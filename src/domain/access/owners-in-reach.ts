/** Who sees what belongs to a partner as well as what belongs to an organization. */
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { type AccessScope, reachableOrgIds } from './access-scope.ts';

/**
 * Whether things of an owner are in reach. A partner's own are seen in all of its organizations, and so by whoever
 * reaches one of them, and by those who reach the partner as a whole (Contract: §9, scripts).
 */
export function ownersInReach(
  scope: AccessScope,
  partnerOf: (orgId: OrgId) => PartnerId | undefined,
): (owner: Owner) => boolean {
  const reachable = reachableOrgIds(scope);
  if (reachable === null) return () => true;
  const orgIds = new Set(reachable);
  const partnerIds = new Set(reachable.map(partnerOf));
  if (scope.kind === 'partner' && scope.isWhole) partnerIds.add(scope.partnerId);
  return (owner) =>
    owner.kind === 'organization' ? orgIds.has(owner.orgId) : partnerIds.has(owner.partnerId);
}
