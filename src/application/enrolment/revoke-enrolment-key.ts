/** Revokes an enrolment key (DELETE /enrolment-keys/:id; Contract: §13). */
import { refuseWithoutDevicesWrite } from '#application/access/refuse-without-devices-write.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Deny } from '#application/audit/deny.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { EnrolmentKeyId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import { keyFacts } from './key-facts.ts';

/** Needs devices:write. What machines have reported with the key stays. */
export type RevokeEnrolmentKey = (call: Call, id: EnrolmentKeyId) => Promise<Result<void, ApplicationError>>;

export interface RevokeEnrolmentKeyDeps {
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

export function makeRevokeEnrolmentKey(deps: RevokeEnrolmentKeyDeps): RevokeEnrolmentKey {
  return async (call, id) => {
    const attempt = { action: 'enrolment_key.revoked', resourceId: id } as const;
    const refusal = refuseWithoutDevicesWrite(call);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    return deps.unitOfWork(call.caller.scope, async (tx): Promise<Result<void, ApplicationError>> => {
      const revoked = await tx.enrolmentKeys.revoke(id, deps.clock());
      if (revoked === null) return deps.deny(call, attempt, ENROLMENT_KEY_NOT_FOUND, tx);
      await tx.audit(deps.makeEntry(call, { ...attempt, ...keyFacts(revoked) }));
      return ok(undefined);
    });
  };
}

/** The same for an unknown key and for one that is out of reach, so that ids cannot be probed. */
export const ENROLMENT_KEY_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'There is no such enrolment key, or you have no access to it.',
};
