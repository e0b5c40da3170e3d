/** Sets up a second factor: first a secret, then a code that proves the user has it (Contract: §2). */
import { ACCOUNT_GONE, type ApplicationError } from '#application/application-error.ts';
import type { Attempt, Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { enrollmentPasswords, tooManyAttempts } from '#application/auth/attempt-limits.ts';
import { parseText } from '#application/auth/auth-input.ts';
import { INVALID_CODE, SESSION_OVER, WRONG_PASSWORD } from '#application/auth/auth-refusals.ts';

import { type CheckAccountPassword, passwordClaimantOf } from '#application/auth/check-password.ts';

import type { NotifyUser } from '#application/auth/notify-user.ts';
import type { Call } from '#application/call.ts';
import type { ReadInput } from '#application/deletion/own-deletion.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Totp } from '#application/ports/auth/totp.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { parseMfaCode } from '#domain/access/mfa.ts';
import { verifiedMfa } from '#domain/access/session.ts';
import { parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { MINUTE_MS } from '#domain/time.ts';
import type { CountCode } from './count-code.ts';
import { isSessionLive } from './live-session.ts';
import { newRecoveryCodes } from './renew-recovery-codes.ts';
import { MFA_NOT_POSSIBLE, type RequireFreshMfa } from './require-fresh-mfa.ts';

/** A secret that is not in use yet. */
export interface EnrollmentOffer {
  /** Base32. */
  readonly secret: string;
  /** The content of the QR code for an authenticator app. */
  readonly otpauthUri: string;
}

/**
 * Needs the password: a stolen token must not be enough to get a factor, and with it whatever needs MFA. A user who
 * already has a factor also needs a recent verification by it. Checks in this order: MFA, body, rate limit, password.
 */
export type StartEnrollment = <E>(
  call: Call,
  readPassword: ReadInput<unknown, E>,
) => Promise<Result<EnrollmentOffer, ApplicationError | E>>;

/**
 * Gives the recovery codes, each good once; those of an earlier factor are void. The session counts as verified, the
 * user's other sessions end, and they get a mail.
 */
export type ConfirmEnrollment = (
  call: Call,
  code: unknown,
) => Promise<Result<readonly string[], ApplicationError>>;

export interface EnrollMfaDeps {
  readonly requireFreshMfa: RequireFreshMfa;
  readonly signIns: SignInStore;
  readonly checkAccountPassword: CheckAccountPassword;
  readonly notifyUser: NotifyUser;
  readonly rateLimiter: RateLimiter;
  readonly countCode: CountCode;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly totp: Totp;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
}

/** How long an offered secret can be confirmed. */
const ENROLLMENT_LIFETIME_MS = 15 * MINUTE_MS;

export function makeStartEnrollment(deps: EnrollMfaDeps): StartEnrollment {
  return async (call, readPassword) => {
    const { userId, credential } = call.caller;
    const deny = (error: ApplicationError, tx?: Transaction) => deps.deny(call, attemptOf(call), error, tx);
    if (credential.kind === 'api-key') return deny(MFA_NOT_POSSIBLE);
    const account = await deps.signIns.findById(userId);
    if (account === null) return err(ACCOUNT_GONE);
    const stale = account.principal.isMfaEnrolled ? refuseStale(deps, call) : null;
    if (stale !== null) return deny(stale);
    const sent = await readPassword();
    if (!sent.ok) return sent;
    const password = parseText('password', sent.value);
    if (!password.ok) return password;
    const rate = await deps.rateLimiter.consume(enrollmentPasswords(userId));
    if (!rate.allowed) return deny(tooManyAttempts(rate));
    const isRight = await deps.checkAccountPassword(account, password.value, passwordClaimantOf(userId));
    if (!isRight) return deny(WRONG_PASSWORD);
    const secret = deps.totp.newSecret();
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<EnrollmentOffer, ApplicationError>> => {
      const refusal = await refuseEnrollment(deps, call, tx);
      if (refusal !== null) return deny(refusal, tx);
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
    const counted = await deps.countCode(call, userId);
    if (!counted.ok) return deps.deny(call, attempt, counted.error);
    const recoveryCodes = newRecoveryCodes(deps.secrets);
    const confirmed = await deps.unitOfWork(
      SYSTEM_SCOPE,
      async (tx): Promise<Result<readonly string[], ApplicationError>> => {
        const refusal = await refuseEnrollment(deps, call, tx);
        if (refusal !== null) return deps.deny(call, attempt, refusal, tx);
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
        await tx.sessions.endOthers(userId, sessionId, now);
        await deps.notifyUser(tx, userId, { kind: 'mfa-enrolled', facts: { at: now } });
        await tx.audit(deps.makeEntry(call, attempt));
        return ok(recoveryCodes);
      },
    );
    await counted.value.settle(confirmed);
    return confirmed;
  };
}

/** Decided by the session and the factor as this transaction sees them: the caller's own facts may be a second old. */
async function refuseEnrollment(
  deps: EnrollMfaDeps,
  call: Call,
  tx: Transaction,
): Promise<ApplicationError | null> {
  const { userId } = call.caller;
  const factor = await tx.mfa.findFactor(userId);
  if (!(await isSessionLive(tx, call.caller, deps.clock()))) return SESSION_OVER;
  return factor === null ? null : refuseStale(deps, call);
}

/** Of a user who has a factor, whatever the caller's own facts say of that. */
function refuseStale({ requireFreshMfa }: EnrollMfaDeps, call: Call): ApplicationError | null {
  const { caller } = call;
  if (caller.credential.kind === 'api-key') return MFA_NOT_POSSIBLE;
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
