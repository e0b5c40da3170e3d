/** Puts attempts to sign in on record. Nobody is a caller yet, so the entry is of the account that was named. */
import type { Visit } from '#application/call.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Principal } from '#domain/access/principal.ts';
import { type AuditEntry, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';

/**
 * `reason` says why it was denied; null is a success. An email that nobody has is on record as nobody's, and not
 * named: it may be a password in the wrong field.
 */
export type MakeSignInEntry = (visit: Visit, user: Principal | null, reason: string | null) => AuditEntry;

export function makeMakeSignInEntry(deps: {
  readonly clock: Clock;
  readonly newId: IdGenerator;
}): MakeSignInEntry {
  return ({ requestId, ip }, user, reason) => ({
    id: deps.newId<'audit-entry'>(),
    at: deps.clock(),
    actor: user === null ? { type: 'system', id: null } : { type: 'user', id: user.userId },
    orgId: user?.scope.kind === 'organization' ? user.scope.orgId : null,
    partnerId: user?.scope.kind === 'partner' ? user.scope.partnerId : null,
    action: 'auth.login',
    result: reason === null ? 'success' : 'denied',
    resourceType: RESOURCE_TYPES['auth.login'],
    resourceId: user?.userId ?? null,
    details: reason === null ? {} : { reason },
    requestId,
    ip,
  });
}
