/** Rules for giving rights (Contract: §16, "Rights"). */
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import type { AccessScope } from './access-scope.ts';
import type { Caller } from './caller.ts';
import { USERS_WRITE } from './permission.ts';

export interface Rights {
  readonly membership: Membership;
  readonly permissions: readonly string[];
  readonly isPlatformAdmin: boolean;
}

/** Rights with the status, because only active people count as administrators. */
export interface Standing extends Rights {
  readonly isActive: boolean;
}

export type Giver = Pick<Caller, 'userId' | 'scope' | 'permissions' | 'isPlatformAdmin'>;

/** Whether the giver holds all of these rights. A giver who lacks one cannot change a person who has it. */
export function mayGive(
  giver: Omit<Giver, 'userId'>,
  { membership, permissions, isPlatformAdmin }: Rights,
): boolean {
  return (
    permissions.every((permission) => giver.permissions.has(permission)) &&
    (giver.isPlatformAdmin || !isPlatformAdmin) &&
    covers(giver.scope, membership)
  );
}

function covers(scope: AccessScope, membership: Membership): boolean {
  switch (scope.kind) {
    case 'system':
      return true;
    case 'none':
      return false;
    case 'organization':
      return membership.scope === 'organization' && membership.orgId === scope.orgId;
    case 'partner':
      if (membership.scope === 'organization') return scope.orgIds.includes(membership.orgId);
      // Only a giver who reaches the whole partner covers its staff, even staff who reach only some of its
      // organizations.
      return membership.scope === 'partner' && membership.partnerId === scope.partnerId && scope.isWhole;
  }
}

/** Each role must always have an active holder (Contract: §7, §16). */
export const ADMINISTRATOR_ROLES = ['platform-admin', 'system-users-write'] as const;
export type AdministratorRole = (typeof ADMINISTRATOR_ROLES)[number];

/** The roles that a person has. */
export function administratorRoles({
  isActive,
  isPlatformAdmin,
  permissions,
  membership,
}: Standing): readonly AdministratorRole[] {
  if (!isActive) return [];
  return ADMINISTRATOR_ROLES.filter((role) =>
    role === 'platform-admin'
      ? isPlatformAdmin
      : membership.scope === 'system' && permissions.includes(USERS_WRITE),
  );
}

/**
 * The administrator roles that a change takes away. A change of membership takes away all of them. `after` is
 * null if the person leaves.
 */
export function lostRoles(before: Standing, after: Standing | null): readonly AdministratorRole[] {
  const kept =
    after !== null && isSameMembership(before.membership, after.membership) ? administratorRoles(after) : [];
  return administratorRoles(before).filter((role) => !kept.includes(role));
}

/**
 * Whether both memberships always reach the same organizations. Null `orgIds` differs from every list, because null
 * includes future organizations.
 */
export function isSameMembership(one: Membership, other: Membership): boolean {
  if (one.scope === 'organization') return other.scope === 'organization' && one.orgId === other.orgId;
  if (one.scope === 'system') return other.scope === 'system';
  if (other.scope !== 'partner' || one.partnerId !== other.partnerId) return false;
  if (one.orgIds === null || other.orgIds === null) return one.orgIds === other.orgIds;
  const [ours, theirs] = [new Set(one.orgIds), new Set(other.orgIds)];
  return ours.size === theirs.size && [...ours].every((orgId) => theirs.has(orgId));
}

export interface RightsChange {
  /** Null for a new person. */
  readonly userId: UserId | null;
  /** Null for a new person. */
  readonly before: Standing | null;
  /** Null if the person leaves. */
  readonly after: Standing | null;
  /** True if only the name changes. People may change their own name. */
  readonly isNameOnly?: boolean;
  readonly rolesOfNobodyElse: readonly AdministratorRole[];
}

export type RightsRefusal = 'own-account' | 'exceeds-own-rights' | 'last-administrator';

/** Null if the giver may make the change. Callers must check first that the person is in reach. */
export function refuseRights(giver: Giver, change: RightsChange): RightsRefusal | null {
  const { userId, before, after, isNameOnly = false } = change;
  // Staff with some of a partner's organizations do not reach themselves, so `mayGive` would refuse their own name.
  if (isOwnAccount(giver, userId)) return isNameOnly ? null : 'own-account';
  const rights = [before, after].filter((one) => one !== null);
  if (!rights.every((one) => mayGive(giver, one))) return 'exceeds-own-rights';
  return refuseLoss(change);
}

/** Null if the service keeps an active holder of each administrator role. */
export function refuseLoss({
  before,
  after,
  rolesOfNobodyElse,
}: Pick<RightsChange, 'before' | 'after' | 'rolesOfNobodyElse'>): 'last-administrator' | null {
  const lost = before === null ? [] : lostRoles(before, after);
  return lost.some((role) => rolesOfNobodyElse.includes(role)) ? 'last-administrator' : null;
}

/** Nobody administers their own account. */
export function isOwnAccount(giver: Pick<Giver, 'userId'>, userId: UserId | null): boolean {
  return giver.userId === userId;
}
