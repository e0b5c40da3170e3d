/** Whose share a request uses: the tenant's first, and within it the person's, whatever credential they came with. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { UserId } from '#domain/ids.ts';
import type { Claimant } from './fair-share.ts';

/** Of a known caller: their organization, else their partner, else the platform; and the user. */
export function claimantOf({ scope, userId }: Caller): Claimant {
  return { tenant: tenantOf(scope, userId), caller: userId };
}

/** Of somebody whose credential is still unknown, or who needs none: the network of their address. */
export function claimantAt(address: string | null): Claimant {
  const network = `network ${address === null ? 'unknown' : networkOf(address)}`;
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

/** An IPv4 address as it is; of an IPv6 address the first 64 bits, of which one client may have every address. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
