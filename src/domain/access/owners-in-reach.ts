/** Reach of what belongs to an organization or to a partner. */
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { type AccessScope, reachableOrgIds } from './access-scope.ts';

/**
 * Returns a test of whether an owner is in reach. What belongs to a partner is visible in all of its organizations,
 * so to everyone who reaches one of them, and to those who reach the partner as a whole (Contract: §9, scripts).
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
