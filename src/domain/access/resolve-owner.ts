/** Who may own what belongs to an organization, or to a partner for all of its organizations (Contract: §10). */
import type { Owner } from '#domain/fleet/fleet-record.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { type AccessScope, canReach, resolveNamedOrg } from './access-scope.ts';

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
