/** The tenant that a person and their records belong to (Contract: §7, "Admin list"; §8). */
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { type AccessScope, canReach } from './access-scope.ts';

/** The organization, or the partner for a partner's own staff; both null for platform staff. */
export interface Attribution {
  readonly orgId: OrgId | null;
  readonly partnerId: PartnerId | null;
}

/** Whether it is in reach. A partner's own staff are only for callers who reach all of its organizations. */
export function isWithinReach(scope: AccessScope, { orgId, partnerId }: Attribution): boolean {
  if (orgId !== null) return canReach(scope, orgId);
  switch (scope.kind) {
    case 'organization':
    case 'none':
      return false;
    case 'partner':
      return scope.isWhole && scope.partnerId === partnerId;
    case 'system':
      return true;
  }
}
