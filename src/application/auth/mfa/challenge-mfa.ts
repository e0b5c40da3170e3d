/** Verifies the second factor again within a session (POST /auth/mfa/challenge; Contract: §2). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { parseText } from '#application/auth/auth-input.ts';
import { INVALID_CODE, SESSION_OVER } from '#application/auth/auth-refusals.ts';
import type { Call } from '#application/call.ts';
import type { IssueAccessToken, IssuedAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { type SessionMfa, verifiedMfa } from '#domain/access/session.ts';
import { parseId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import type { CheckCode } from './check-code.ts';
import type { CountCode } from './count-code.ts';
import { isSessionLive } from './live-session.ts';
import { MFA_ENROLLMENT_REQUIRED, MFA_NOT_POSSIBLE } from './require-fresh-mfa.ts';

/**
 * A token of the same session, which must be live, that says MFA was verified now. Only wrong codes count towards the
 * limit.
 */
export type ChallengeMfa = (
  call: Call,
  code: unknown,
) => Promise<Result<IssuedAccessToken, ApplicationError>>;

export interface ChallengeMfaDeps {
  readonly checkCode: CheckCode;
  readonly countCode: CountCode;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly issueAccessToken: IssueAccessToken;
  readonly clock: Clock;
}

export function makeChallengeMfa(deps: ChallengeMfaDeps): ChallengeMfa {
  return async (call, input) => {
    const { userId, credential } = call.caller;
    const attempt = { action: 'auth.mfa.challenge', resourceId: userId } as const;
    if (credential.kind === 'api-key') return deps.deny(call, attempt, MFA_NOT_POSSIBLE);
    const sent = parseText('code', input);
    if (!sent.ok) return sent;
    const counted = await deps.countCode(call, userId);
    if (!counted.ok) return deps.deny(call, attempt, counted.error);
    const proved = await deps.unitOfWork(
      SYSTEM_SCOPE,
      async (tx): Promise<Result<SessionMfa, ApplicationError>> => {
        const factor = await tx.mfa.findFactor(userId);
        if (factor === null) return deps.deny(call, attempt, MFA_ENROLLMENT_REQUIRED, tx);
        if (!(await isSessionLive(tx, call.caller, deps.clock()))) {
          return deps.deny(call, attempt, SESSION_OVER, tx);
        }
        if (!(await deps.checkCode(tx, userId, factor, sent.value))) {
          return deps.deny(call, attempt, INVALID_CODE, tx);
        }
        const mfa = verifiedMfa(deps.clock(), factor.epoch);
        const sessionId = parseId<'session'>(credential.sessionId);
        if (sessionId !== null) await tx.sessions.setMfa(userId, sessionId, mfa);
        await tx.audit(deps.makeEntry(call, attempt));
        return ok(mfa);
      },
    );
    await counted.value.settle(proved);
    if (!proved.ok) return proved;
    const { sessionId, authEpoch } = credential;
    return ok(await deps.issueAccessToken({ userId, sessionId, authEpoch, mfa: proved.value }));
  };
}
