/**
 * What a caller can reach (Spec: Authentication). A tagged union, so that "everything" is never a missing list and an
 * empty list never means everything.
 */
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** What a caller reaches: one organization, those of a partner, or everything (Spec: Authentication). */
export type AccessScope =
  | { readonly kind: 'organization'; readonly orgId: OrgId }
  | {
      readonly kind: 'partner';
      readonly partnerId: PartnerId;
      /** The organizations currently in reach; may be empty. */
      readonly orgIds: readonly OrgId[];
      /**
       * Whether these are all of the partner's organizations, so that what belongs to the partner itself is in reach.
       */
      readonly isWhole: boolean;
    }
  | { readonly kind: 'system' }
  /** Nothing at all: of an API key that is narrowed to an organization that its user does not reach. */
  | { readonly kind: 'none' };

/** Everything: for platform staff, and for what the service does on its own behalf. */
export const SYSTEM_SCOPE: AccessScope = { kind: 'system' };

/** Nothing. */
export const NO_SCOPE: AccessScope = { kind: 'none' };

/** Which of the three. */
export type ScopeKind = AccessScope['kind'];

/** The organizations in reach, or null if all are. */
export function reachableOrgIds(scope: AccessScope): readonly OrgId[] | null {
  switch (scope.kind) {
    case 'organization':
      return [scope.orgId];
    case 'partner':
      return scope.orgIds;
    case 'system':
      return null;
    case 'none':
      return [];
  }
}

/** Whether the organization is in reach. */
export function canReach(scope: AccessScope, orgId: OrgId): boolean {
  return reachableOrgIds(scope)?.includes(orgId) ?? true;
}

/** Whether everything in the other scope is in reach. */
export function canReachAll(scope: AccessScope, other: AccessScope): boolean {
  const [reach, wanted] = [reachableOrgIds(scope), reachableOrgIds(other)];
  if (reach === null || reach === wanted) return true;
  const reached = new Set(reach);
  return wanted?.every((orgId) => reached.has(orgId)) ?? false;
}

/** The scope narrowed to one organization; nothing at all if that is out of reach. */
export function narrowTo(scope: AccessScope, orgId: OrgId): AccessScope {
  return canReach(scope, orgId) ? { kind: 'organization', orgId } : NO_SCOPE;
}

/** Why something new cannot belong where it should: no organization was named, or one out of reach. */
export type OwnerRefusal = 'org-required' | 'org-out-of-reach';

/**
 * The organization that owns something new: the caller's own for organization scope, whatever was requested,
 * otherwise the requested one (Spec: POST /filters). For system scope the store checks that it exists.
 * Whoever reaches nothing can own nothing, whatever was requested.
 */
export function resolveOwnerOrg(scope: AccessScope, requested: OrgId | null): Result<OrgId, OwnerRefusal> {
  return resolveNamedOrg(scope, scope.kind === 'organization' ? null : requested);
}

/**
 * The organization that was named, or the caller's own for organization scope where none was. Naming another one is
 * refused: what is meant for it must not end up elsewhere (Contract: §1, §10, §13). For system scope the store checks
 * that it exists.
 */
export function resolveNamedOrg(scope: AccessScope, named: OrgId | null): Result<OrgId, OwnerRefusal> {
  if (scope.kind === 'none') return err('org-out-of-reach');
  if (named !== null) return canReach(scope, named) ? ok(named) : err('org-out-of-reach');
  return scope.kind === 'organization' ? ok(scope.orgId) : err('org-required');
}
