import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** What a caller can reach (Spec: Authentication). Only `system` means everything; empty `orgIds` mean nothing. */
export type AccessScope =
  | { readonly kind: 'organization'; readonly orgId: OrgId }
  | {
      readonly kind: 'partner';
      readonly partnerId: PartnerId;
      readonly orgIds: readonly OrgId[];
      /** Whether `orgIds` has all organizations of the partner. If not, the partner's own records are out of reach. */
      readonly isWhole: boolean;
    }
  | { readonly kind: 'system' }
  /** For an API key whose organization is out of its user's reach. */
  | { readonly kind: 'none' };

/** For platform staff and for the service itself. */
export const SYSTEM_SCOPE: AccessScope = { kind: 'system' };

/** Reaches nothing. */
export const NO_SCOPE: AccessScope = { kind: 'none' };

export type ScopeKind = AccessScope['kind'];

/** The organizations in reach; null means all. */
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

/** The scope of one organization, or `NO_SCOPE` if that is out of reach. */
export function narrowTo(scope: AccessScope, orgId: OrgId): AccessScope {
  return canReach(scope, orgId) ? { kind: 'organization', orgId } : NO_SCOPE;
}

/** Why a new record cannot get an owner: the caller named no organization, or one out of reach. */
export type OwnerRefusal = 'org-required' | 'org-out-of-reach';

/**
 * The owner of a new filter: the caller's own organization for organization scope, otherwise the requested
 * one (Spec: POST /filters). For system scope the store checks that this organization exists.
 */
export function resolveOwnerOrg(scope: AccessScope, requested: OrgId | null): Result<OrgId, OwnerRefusal> {
  return resolveNamedOrg(scope, scope.kind === 'organization' ? null : requested);
}

/**
 * The named organization, or the caller's own for organization scope. An organization out of reach is refused
 * (Contract: §1, §10, §13). For system scope the store checks that the organization exists.
 */
export function resolveNamedOrg(scope: AccessScope, named: OrgId | null): Result<OrgId, OwnerRefusal> {
  if (scope.kind === 'none') return err('org-out-of-reach');
  if (named !== null) return canReach(scope, named) ? ok(named) : err('org-out-of-reach');
  return scope.kind === 'organization' ? ok(scope.orgId) : err('org-required');
}
