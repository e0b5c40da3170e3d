/** Whose share a request uses: the tenant's first, and within it the person's, whatever credential they came with. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import { clientOf, siteOf } from '#domain/access/network.ts';
import type { UserId } from '#domain/ids.ts';
import type { Claimant } from './fair-share.ts';

/** Of a known caller: their organization, else their partner, else the platform; and the user. */
export function claimantOf({ scope, userId }: Caller): Claimant {
  return { tenant: tenantOf(scope, userId), caller: userId };
}

/**
 * Of somebody whose credential is still unknown, or who needs none: the client at their address, and before it their
 * site, as a subscriber has more addresses than one to flood from.
 */
export function claimantAt(address: string | null): Claimant {
  if (address === null) return { tenant: 'site unknown', caller: 'client unknown' };
  return { tenant: `site ${siteOf(address)}`, caller: `client ${clientOf(address)}` };
}

/**
 * Of the machines that report with this key. They share with other keys of their organization, and not with its
 * people, so that a flood of reports takes nothing from these.
 */
export function claimantWith({ id, orgId }: EnrolmentKey): Claimant {
  return { tenant: `machines of ${orgId}`, caller: `enrolment key ${id}` };
}

function tenantOf(scope: AccessScope, userId: UserId): string {
  switch (scope.kind) {
    case 'organization':
      return `organization ${scope.orgId}`;
    case 'partner':
      return `partner ${scope.partnerId}`;
    case 'system':
      return 'platform';
    case 'none':
      // Whoever reaches nothing shares with nobody.
      return `user ${userId}`;
  }
}
