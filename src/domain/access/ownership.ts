/** What belongs to an organization or a partner, and who reaches and changes it (Contract: §7, §8, §10). */
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type AccessScope, canReach, reachableOrgIds, resolveNamedOrg } from './access-scope.ts';

/** The tenant that a person and their records belong to: an organization, or a partner for its own staff. Both null for platform staff. */
export interface Attribution {
  readonly orgId: OrgId | null;
  readonly partnerId: PartnerId | null;
}

/** Whether it is in reach. A partner's own staff are only for callers who reach all of its organizations. */
export function isWithinReach(scope: AccessScope, { orgId, partnerId }: Attribution): boolean {
  if (orgId !== null) return canReach(scope, orgId);
  switch (scope.kind) {
    case 'organization':
    case 'none':
      return false;
    case 'partner':
      return scope.isWhole && scope.partnerId === partnerId;
    case 'system':
      return true;
  }
}

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

/** Whether what belongs to this owner may be changed: a partner's only by those who reach the partner as a whole. */
export function mayChangeFor(scope: AccessScope, owner: Owner): boolean {
  if (owner.kind === 'organization') return canReach(scope, owner.orgId);
  if (scope.kind === 'system') return true;
  return scope.kind === 'partner' && scope.isWhole && scope.partnerId === owner.partnerId;
}

/**
 * The owner of something new: the requested partner if it may be changed for, else as `resolveNamedOrg` says. For
 * system scope the store checks that the owner exists.
 */
export function resolveOwner(
  scope: AccessScope,
  requested: Owner | null,
): Result<Owner, 'owner-required' | 'owner-out-of-reach'> {
  if (requested?.kind === 'partner') {
    return mayChangeFor(scope, requested) ? ok(requested) : err('owner-out-of-reach');
  }
  const org = resolveNamedOrg(scope, requested?.orgId ?? null);
  if (org.ok) return ok({ kind: 'organization', orgId: org.value });
  return err(org.error === 'org-required' ? 'owner-required' : 'owner-out-of-reach');
}
