/** Which tenant a person, or what concerns them, counts towards (Contract: §7, "Admin list"; §8). */
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { type AccessScope, canReach } from './access-scope.ts';

/** The organization; where there is none, the partner whose own staff it is; neither for the system's. */
export interface Attribution {
  readonly orgId: OrgId | null;
  readonly partnerId: PartnerId | null;
}

/** Whether it is in reach: a partner's own is only for those who hold all of the partner's organizations. */
export function isWithinReach(scope: AccessScope, { orgId, partnerId }: Attribution): boolean {
  if (orgId !== null) return canReach(scope, orgId);
  switch (scope.kind) {
    case 'organization':
      return false;
    case 'partner':
      return scope.isWhole && scope.partnerId === partnerId;
    case 'system':
      return true;
  }
}
