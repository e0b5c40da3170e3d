/** Sets up a second factor, and renews recovery codes (Contract: §2, §14). */

import { ACCOUNT_GONE, type ApplicationError } from '#application/application-error.ts';
import type { Attempt, Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { enrollmentPasswords } from '#application/auth/attempt-limits.ts';
import { parseText } from '#application/auth/auth-input.ts';
import { INVALID_CODE, SESSION_OVER } from '#application/auth/auth-refusals.ts';
import {
  MFA_ENROLLMENT_REQUIRED,
  MFA_NOT_POSSIBLE,
  type RequireFreshMfa,
} from '#application/auth/mfa/fresh-mfa.ts';
import type { CountCode } from '#application/auth/mfa/mfa-codes.ts';
import type { NotifyUser } from '#application/auth/notify-user.ts';
import type { ConfirmPerson } from '#application/auth/passwords.ts';
import { isSessionLive, refuseWithoutSession, sessionIdOf } from '#application/auth/sessions/own-sessions.ts';
import type { Call } from '#application/call.ts';
import type { ReadInput } from '#application/deletion/own-deletion.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Totp } from '#application/ports/auth/totp.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { parseMfaCode, RECOVERY_CODE_COUNT } from '#domain/access/mfa.ts';
import { verifiedMfa } from '#domain/access/session.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { MINUTE_MS } from '#domain/time.ts';

export interface EnrollmentOffer {
  /** Base32. */
  readonly secret: string;
  readonly otpauthUri: string;
}

/**
 * Needs the password; people without one need a recent sign-in. People who have a second factor must also have verified
 * it recently: a stolen token must not suffice. Checks in this order: MFA, body, rate limit, password.
 */
export type StartEnrollment = <E>(
  call: Call,
  readPassword: ReadInput<unknown, E>,
) => Promise<Result<EnrollmentOffer, ApplicationError | E>>;

/**
 * Returns recovery codes; each works once, and earlier ones become void. The session counts as verified, the user's
 * other sessions end, and the user gets a mail.
 */
export type ConfirmEnrollment = (
  call: Call,
  code: unknown,
) => Promise<Result<readonly string[], ApplicationError>>;

export interface EnrollMfaDeps {
  readonly requireFreshMfa: RequireFreshMfa;
  readonly signIns: SignInStore;
  readonly confirmPerson: ConfirmPerson;
  readonly notifyUser: NotifyUser;
  readonly countCode: CountCode;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly totp: Totp;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
}

const ENROLLMENT_LIFETIME_MS = 15 * MINUTE_MS;

export function makeStartEnrollment(deps: EnrollMfaDeps): StartEnrollment {
  return async (call, readPassword) => {
    const { userId } = call.caller;
    const deny = (error: ApplicationError, tx?: Transaction) => deps.deny(call, attemptOf(call), error, tx);
    const refused = refuseWithoutSession(call.caller, MFA_NOT_POSSIBLE);
    if (refused !== null) return deny(refused);
    const account = await deps.signIns.findById(userId);
    if (account === null) return err(ACCOUNT_GONE);
    const stale = account.principal.isMfaEnrolled ? refuseStale(deps, call) : null;
    if (stale !== null) return deny(stale);
    const sent = await readPassword();
    if (!sent.ok) return sent;
    const confirmed = await deps.confirmPerson(call, account, sent.value, enrollmentPasswords(userId));
    if (!confirmed.ok)
      return confirmed.error.code === 'validation_failed' ? confirmed : deny(confirmed.error);
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
    const { userId } = call.caller;
    const attempt = attemptOf(call);
    const refused = refuseWithoutSession(call.caller, MFA_NOT_POSSIBLE);
    if (refused !== null) return deps.deny(call, attempt, refused);
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
        const sessionId = sessionIdOf(call.caller);
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

/** Reads session and factor in the transaction, because `call.caller` may be a second old. */
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

/** Requires fresh MFA, even if `call.caller` was read before the user set up a factor. */
export function refuseStale(
  { requireFreshMfa }: Pick<EnrollMfaDeps, 'requireFreshMfa'>,
  call: Call,
): ApplicationError | null {
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

/** Needs a recent MFA. Returns codes that work once each. Earlier ones become void, and the user gets a mail. */
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
    const refused = refuseWithoutSession(call.caller, MFA_NOT_POSSIBLE) ?? deps.requireFreshMfa(call);
    if (refused !== null) return deps.deny(call, attempt, refused);
    const codes = newRecoveryCodes(deps.secrets);
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<readonly string[], ApplicationError>> => {
      if ((await tx.mfa.findFactor(userId)) === null) {
        return deps.deny(call, attempt, MFA_ENROLLMENT_REQUIRED, tx);
      }
      const now = deps.clock();
      // A live session has verified the current factor, because setting up a factor ends all other sessions.
      if (!(await isSessionLive(tx, call.caller, now))) return deps.deny(call, attempt, SESSION_OVER, tx);
      await tx.mfa.replaceRecoveryCodes(userId, codes.map(deps.secrets.digest));
      await deps.notifyUser(tx, userId, { kind: 'recovery-codes-renewed', facts: { at: now } });
      await tx.audit(deps.makeEntry(call, attempt));
      return ok(codes);
    });
  };
}

export function newRecoveryCodes(secrets: Pick<SecretGenerator, 'recoveryCode'>): readonly string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => secrets.recoveryCode());
}
