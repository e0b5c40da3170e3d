/**
 * How far a caller reaches (Spec: Authentication). A tagged union, so that "everything" is never the absence of a
 * list and an empty list is never everything.
 */
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

export type AccessScope =
  | { readonly kind: 'organization'; readonly orgId: OrgId }
  | {
      readonly kind: 'partner';
      readonly partnerId: PartnerId;
      /** The organizations within reach, as they are now; may be none. */
      readonly orgIds: readonly OrgId[];
      /** Whether these are all of the partner's organizations, and so the partner's own things are in reach. */
      readonly isWhole: boolean;
    }
  | { readonly kind: 'system' };

/** Everything: the platform's own staff, and what the service does before or beside any tenant. */
export const SYSTEM_SCOPE: AccessScope = { kind: 'system' };

export type ScopeKind = AccessScope['kind'];

/** The organizations in reach, or null where every one is. */
export function reachableOrgIds(scope: AccessScope): readonly OrgId[] | null {
  switch (scope.kind) {
    case 'organization':
      return [scope.orgId];
    case 'partner':
      return scope.orgIds;
    case 'system':
      return null;
  }
}

/** Whether things of the organization are in reach. */
export function canReach(scope: AccessScope, orgId: OrgId): boolean {
  return reachableOrgIds(scope)?.includes(orgId) ?? true;
}

/**
 * The scope narrowed to one organization. Where that one is out of reach, a partner's scope holds no organization
 * at all, and an organization's stays its own.
 */
export function narrowTo(scope: AccessScope, orgId: OrgId): AccessScope {
  switch (scope.kind) {
    case 'system':
      return { kind: 'organization', orgId };
    case 'partner':
      return scope.orgIds.includes(orgId)
        ? { kind: 'organization', orgId }
        : { ...scope, orgIds: [], isWhole: false };
    case 'organization':
      return scope;
  }
}

export type OwnerRefusal = 'org-required' | 'org-out-of-reach';

/**
 * The organization that a new thing belongs to: the caller's own, whatever was sent, or for the wider scopes the
 * one that was sent (Spec: POST /filters). Whether a system caller's organization exists is the store's to say.
 */
export function resolveOwnerOrg(scope: AccessScope, requested: OrgId | null): Result<OrgId, OwnerRefusal> {
  if (scope.kind === 'organization') return ok(scope.orgId);
  if (requested === null) return err('org-required');
  return canReach(scope, requested) ? ok(requested) : err('org-out-of-reach');
}
