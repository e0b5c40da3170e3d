/** Whose share a request uses: the tenant's first, and within it the person's, whatever credential they came with. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import { clientOf } from '#domain/access/network.ts';
import type { UserId } from '#domain/ids.ts';
import type { Claimant } from './fair-share.ts';

/** Of a known caller: their organization, else their partner, else the platform; and the user. */
export function claimantOf({ scope, userId }: Caller): Claimant {
  return { tenant: tenantOf(scope, userId), caller: userId };
}

/** Of somebody whose credential is still unknown, or who needs none: the network of their address. */
export function claimantAt(address: string | null): Claimant {
  const network = `network ${address === null ? 'unknown' : clientOf(address)}`;
  return { tenant: network, caller: network };
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
