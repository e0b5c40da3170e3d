/** Audit entries of attempts to sign in. Nobody is a caller yet, so an entry is about the account that was named. */
import { asDenied } from '#application/audit/make-entry.ts';
import type { Visit } from '#application/call.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Principal } from '#domain/access/principal.ts';
import { type AuditEntry, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';

/**
 * `reason` says why the attempt was denied; null is a success. For an email without an account, `user` is null and
 * the email is not recorded: it may be a password typed into the wrong field.
 */
export type MakeSignInEntry = (visit: Visit, user: Principal | null, reason: string | null) => AuditEntry;

/** Gives every entry a new id and the time of the clock. */
export function makeSignInEntryFactory(deps: {
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
    resourceType: RESOURCE_TYPES['auth.login'],
    resourceId: user?.userId ?? null,
    requestId,
    ip,
    ...(reason === null ? { result: 'success', details: {} } : asDenied(reason)),
  });
}
