/** Sets up a second factor: first a secret, then a code that proves the user has it (Contract: §2). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Attempt, Deny } from '#application/audit/deny.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import { tooManyAttempts, WRONG_CODES } from '#application/auth/attempt-limits.ts';
import { parseText } from '#application/auth/auth-input.ts';
import { INVALID_CODE } from '#application/auth/auth-refusals.ts';
import type { Call } from '#application/call.ts';
import type { RateLimiter } from '#application/ports/auth/rate-limiter.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { SignInStore } from '#application/ports/auth/sign-in-store.ts';
import type { Totp } from '#application/ports/auth/totp.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { parseMfaCode, RECOVERY_CODE_COUNT } from '#domain/access/mfa-code.ts';
import { verifiedMfa } from '#domain/access/session.ts';
import { parseId } from '#domain/ids.ts';
import { ok, type Result } from '#domain/result.ts';
import { MFA_NOT_POSSIBLE, type RequireFreshMfa } from './require-fresh-mfa.ts';

/** A secret that is not in use yet. */
export interface EnrollmentOffer {
  /** Base32. */
  readonly secret: string;
  /** The content of the QR code for an authenticator app. */
  readonly otpauthUri: string;
}

/** A user who already has a factor needs a recent verification by it before it can be replaced. */
export type StartEnrollment = (call: Call) => Promise<Result<EnrollmentOffer, ApplicationError>>;

/** Gives the recovery codes, each good once; those of an earlier factor are void. The session counts as verified. */
export type ConfirmEnrollment = (
  call: Call,
  code: unknown,
) => Promise<Result<readonly string[], ApplicationError>>;

export interface EnrollMfaDeps {
  readonly requireFreshMfa: RequireFreshMfa;
  readonly signIns: SignInStore;
  readonly rateLimiter: RateLimiter;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly totp: Totp;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
}

/** How long an offered secret can be confirmed. */
const ENROLLMENT_LIFETIME_MS = 15 * 60_000;

export function makeStartEnrollment(deps: EnrollMfaDeps): StartEnrollment {
  return async (call) => {
    const { userId, credential } = call.caller;
    const attempt = attemptOf(call);
    if (credential.kind === 'api-key') return deps.deny(call, attempt, MFA_NOT_POSSIBLE);
    const account = await deps.signIns.findById(userId);
    if (account === null) return deps.deny(call, attempt, NO_ENROLLMENT);
    const secret = deps.totp.newSecret();
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<EnrollmentOffer, ApplicationError>> => {
      const stale = await refuseReplacement(deps, call, tx);
      if (stale !== null) return deps.deny(call, attempt, stale, tx);
      await tx.mfa.startEnrollment(userId, { secret, startedAt: deps.clock() });
      return ok({ secret, otpauthUri: deps.totp.keyUri(secret, account.email) });
    });
  };
}

export function makeConfirmEnrollment(deps: EnrollMfaDeps): ConfirmEnrollment {
  return async (call, input) => {
    const { userId, credential } = call.caller;
    const attempt = attemptOf(call);
    if (credential.kind === 'api-key') return deps.deny(call, attempt, MFA_NOT_POSSIBLE);
    const sent = parseText('code', input);
    if (!sent.ok) return sent;
    const rate = await deps.rateLimiter.consume(WRONG_CODES, userId);
    if (!rate.allowed) return deps.deny(call, attempt, tooManyAttempts(rate));
    const recoveryCodes = Array.from({ length: RECOVERY_CODE_COUNT }, () => deps.secrets.recoveryCode());
    const confirmed = await deps.unitOfWork(
      SYSTEM_SCOPE,
      async (tx): Promise<Result<readonly string[], ApplicationError>> => {
        const stale = await refuseReplacement(deps, call, tx);
        if (stale !== null) return deps.deny(call, attempt, stale, tx);
        const now = deps.clock();
        const enrollment = await tx.mfa.findEnrollment(userId);
        if (enrollment === null || enrollment.startedAt + ENROLLMENT_LIFETIME_MS <= now) {
          return deps.deny(call, attempt, NO_ENROLLMENT, tx);
        }
        const code = parseMfaCode(sent.value);
        const step = code?.kind === 'totp' ? deps.totp.findStep(enrollment.secret, code.code, now) : null;
        if (step === null) return deps.deny(call, attempt, INVALID_CODE, tx);
        const epoch = await tx.mfa.completeEnrollment(userId, {
          secret: enrollment.secret,
          step,
          recoveryCodeSha256s: recoveryCodes.map(deps.secrets.digest),
        });
        const sessionId = parseId<'session'>(credential.sessionId);
        if (sessionId !== null) await tx.sessions.setMfa(userId, sessionId, verifiedMfa(now, epoch));
        await tx.audit(deps.makeEntry(call, attempt));
        return ok(recoveryCodes);
      },
    );
    // Only wrong codes count.
    const isWrongCode = !confirmed.ok && confirmed.error.code === INVALID_CODE.code;
    if (!isWrongCode) await deps.rateLimiter.refund(WRONG_CODES, userId);
    return confirmed;
  };
}

/** Decided by the factor as this transaction sees it: the caller's own facts may be a second old. */
async function refuseReplacement(
  { requireFreshMfa }: EnrollMfaDeps,
  call: Call,
  tx: Transaction,
): Promise<ApplicationError | null> {
  const { caller } = call;
  const factor = await tx.mfa.findFactor(caller.userId);
  if (factor === null || caller.credential.kind === 'api-key') return null;
  return requireFreshMfa({
    ...call,
    caller: { ...caller, credential: { ...caller.credential, isMfaEnrolled: true } },
  });
}

function attemptOf({ caller }: Call): Attempt {
  return { action: 'auth.mfa.enrolled', resourceId: caller.userId };
}

const NO_ENROLLMENT: ApplicationError = {
  code: 'conflict',
  detail: 'No MFA enrollment is in progress, or it has expired; start one with POST /auth/mfa/enroll.',
};
