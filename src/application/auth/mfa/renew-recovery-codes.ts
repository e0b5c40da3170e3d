/** New recovery codes in place of the old ones (POST /auth/mfa/recovery-codes; Contract: §14). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { SESSION_OVER } from '#application/auth/auth-refusals.ts';
import type { NotifyUser } from '#application/auth/notify-user.ts';
import type { Call } from '#application/call.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { RECOVERY_CODE_COUNT } from '#domain/access/mfa.ts';
import { ok, type Result } from '#domain/result.ts';
import { isSessionLive } from './live-session.ts';
import { MFA_ENROLLMENT_REQUIRED, type RequireFreshMfa } from './require-fresh-mfa.ts';

/** Needs a recent MFA. Gives codes that are good once each; those from before are void, and the user gets a mail. */
export type RenewRecoveryCodes = (call: Call) => Promise<Result<readonly string[], ApplicationError>>;

export interface RenewRecoveryCodesDeps {
  readonly requireFreshMfa: RequireFreshMfa;
  readonly notifyUser: NotifyUser;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
}

export function makeRenewRecoveryCodes(deps: RenewRecoveryCodesDeps): RenewRecoveryCodes {
  return async (call) => {
    const { userId } = call.caller;
    const attempt = { action: 'auth.mfa.recovery_codes', resourceId: userId } as const;
    const stale = deps.requireFreshMfa(call);
    if (stale !== null) return deps.deny(call, attempt, stale);
    const codes = newRecoveryCodes(deps.secrets);
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<readonly string[], ApplicationError>> => {
      // Setting up another factor ends the other sessions, so a live one has verified this factor.
      if ((await tx.mfa.findFactor(userId)) === null) {
        return deps.deny(call, attempt, MFA_ENROLLMENT_REQUIRED, tx);
      }
      const now = deps.clock();
      if (!(await isSessionLive(tx, call.caller, now))) return deps.deny(call, attempt, SESSION_OVER, tx);
      await tx.mfa.replaceRecoveryCodes(userId, codes.map(deps.secrets.digest));
      await deps.notifyUser(tx, userId, { kind: 'recovery-codes-renewed', facts: { at: now } });
      await tx.audit(deps.makeEntry(call, attempt));
      return ok(codes);
    });
  };
}

/** As many as a user has. */
export function newRecoveryCodes(secrets: Pick<SecretGenerator, 'recoveryCode'>): readonly string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => secrets.recoveryCode());
}
