/** The enrolment keys in reach (GET /enrolment-keys; Contract: §13). Needs devices:write. */
import { refuseWithoutDevicesWrite } from '#application/access/refuse-without-devices-write.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { EnrolmentKeyReader } from '#application/ports/auth/stores/enrolment-key-store.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Newest first, expired ones included; those that are revoked are gone. */
export type ListEnrolmentKeys = (call: Call) => Promise<Result<readonly EnrolmentKey[], ApplicationError>>;

export function makeListEnrolmentKeys(deps: {
  readonly enrolmentKeys: EnrolmentKeyReader;
}): ListEnrolmentKeys {
  return async (call) => {
    const refusal = refuseWithoutDevicesWrite(call);
    return refusal === null ? ok(await deps.enrolmentKeys.list(call.caller.scope)) : err(refusal);
  };
}
