/** Checks changes of rights in a transaction (Contract: §16). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { canReach } from '#domain/access/access-scope.ts';
import { mayChangeFor } from '#domain/access/ownership.ts';
import { standingOf } from '#domain/access/person.ts';
import {
  type Giver,
  lostRoles,
  type RightsChange,
  type RightsRefusal,
  refuseLoss,
  refuseRights,
} from '#domain/access/rights.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';

export const RIGHTS_REFUSALS: Readonly<Record<RightsRefusal, ApplicationError>> = {
  'own-account': {
    code: 'own_account',
    detail: 'Nobody does this to their own account; ask another administrator.',
  },
  'exceeds-own-rights': {
    code: 'exceeds_own_rights',
    detail:
      'You cannot give rights that you do not have yourself, nor change people who have rights that you lack.',
  },
  'last-administrator': {
    code: 'last_administrator',
    detail:
      'This is the last active administrator of the whole service; make somebody else one first, then try again.',
  },
};

/**
 * If the change removes an administrator role, takes a lock, so that two changes cannot together remove the
 * last administrator.
 */
export async function refuseRightsIn(
  tx: Pick<Transaction, 'people'>,
  giver: Giver,
  change: Omit<RightsChange, 'rolesOfNobodyElse'>,
): Promise<ApplicationError | null> {
  const refusal = refuseRights(giver, await withRolesOfNobodyElse(tx, change));
  return refusal === null ? null : RIGHTS_REFUSALS[refusal];
}

/** Null if the service keeps an administrator without this person. Takes the same lock as `refuseRightsIn`. */
export async function refuseLeaving(
  tx: Pick<Transaction, 'people'>,
  userId: UserId,
): Promise<ApplicationError | null> {
  const person = await tx.people.hold(userId);
  const leaving = { userId, before: person && standingOf(person), after: null };
  const refusal = refuseLoss(await withRolesOfNobodyElse(tx, leaving));
  return refusal === null ? null : RIGHTS_REFUSALS[refusal];
}

async function withRolesOfNobodyElse<T extends Omit<RightsChange, 'rolesOfNobodyElse'>>(
  tx: Pick<Transaction, 'people'>,
  change: T,
): Promise<T & Pick<RightsChange, 'rolesOfNobodyElse'>> {
  const { userId, before, after } = change;
  const mayLose = userId !== null && before !== null && lostRoles(before, after).length > 0;
  return { ...change, rolesOfNobodyElse: mayLose ? await tx.people.rolesOfNobodyElse(userId) : [] };
}

/** Null if the membership's tenants are in reach. Unknown tenants get the same refusal. */
export async function refusePlace(
  tx: Pick<Transaction, 'people'>,
  scope: AccessScope,
  membership: Membership,
): Promise<ApplicationError | null> {
  const isReached = isPlaceInReach(scope, membership) && (await tx.people.placeExists(membership));
  return isReached ? null : OUT_OF_REACH;
}

function isPlaceInReach(scope: AccessScope, membership: Membership): boolean {
  switch (membership.scope) {
    case 'system':
      // The system scope names no tenant. `refuseRightsIn` checks who may give it.
      return true;
    case 'organization':
      return canReach(scope, membership.orgId);
    case 'partner':
      return (
        mayChangeFor(scope, { kind: 'partner', partnerId: membership.partnerId }) &&
        (membership.orgIds ?? []).every((orgId) => canReach(scope, orgId))
      );
  }
}

const OUT_OF_REACH: ApplicationError = {
  code: 'forbidden',
  detail: 'You have no access to an organization or partner that the request names; use one that you manage.',
};
