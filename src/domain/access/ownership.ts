/** Rules for seeing and changing what belongs to organizations and partners (Contract: §7, §8, §10). */
import type { Membership, Owner } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type AccessScope, canReach, reachableOrgIds, resolveNamedOrg } from './access-scope.ts';

/** The tenant of a person or record. Both ids are null for platform staff. */
export interface Attribution {
  readonly orgId: OrgId | null;
  readonly partnerId: PartnerId | null;
}

/** Ids of organizations and partners never collide, so the id alone identifies the owner. */
export function ownerIdOf(owner: Owner): OrgId | PartnerId {
  return owner.kind === 'organization' ? owner.orgId : owner.partnerId;
}

/** One of the two ids is null. */
export function idsOfOwner(owner: Owner): Attribution {
  return owner.kind === 'organization'
    ? { orgId: owner.orgId, partnerId: null }
    : { orgId: null, partnerId: owner.partnerId };
}

/** Both ids are null for platform staff. */
export function attributionOf(membership: Membership): Attribution {
  return {
    orgId: membership.scope === 'organization' ? membership.orgId : null,
    partnerId: membership.scope === 'partner' ? membership.partnerId : null,
  };
}

/** Whether both are the same organization or the same partner. */
export function isSameOwner(a: Owner, b: Owner): boolean {
  return a.kind === 'organization'
    ? b.kind === 'organization' && a.orgId === b.orgId
    : b.kind === 'partner' && a.partnerId === b.partnerId;
}

/**
 * Whether a tenant's people and records are in reach. A partner scope reaches those of the partner only if it
 * `isWhole`.
 */
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
 * Returns a test for owners: a partner's records are visible to callers who reach one of its organizations or
 * the whole partner (Contract: §9, scripts).
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

/** Only callers who reach the whole partner may change its records. */
export function mayChangeFor(scope: AccessScope, owner: Owner): boolean {
  if (owner.kind === 'organization') return canReach(scope, owner.orgId);
  if (scope.kind === 'system') return true;
  return scope.kind === 'partner' && scope.isWhole && scope.partnerId === owner.partnerId;
}

/**
 * Accepts a partner if the caller may change its records. `resolveNamedOrg` decides on an organization. For
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
