/** Checks and changes passwords (POST /auth/password; Contract: §14). */

import {
  ACCOUNT_GONE,
  type ApplicationError,
  type FieldError,
  toValidationError,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { passwordChanges, tooManyAttempts } from '#application/auth/attempt-limits.ts';
import { parseText, textFaults } from '#application/auth/auth-input.ts';
import {
  RECENT_SIGN_IN_MS,
  RECENT_SIGN_IN_REQUIRED,
  SESSION_OVER,
  WRONG_PASSWORD,
} from '#application/auth/auth-refusals.ts';
import { newPasswordFaults } from '#application/auth/links/link-input.ts';
import type { NotifyUser } from '#application/auth/notify-user.ts';
import { isSessionLive, refuseWithoutSession, sessionIdOf } from '#application/auth/sessions/own-sessions.ts';
import type { Call } from '#application/call.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { PasswordClaimant, PasswordVerifier } from '#application/ports/auth/password-verifier.ts';
import type { RateKey, RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { SessionReader } from '#application/ports/auth/stores/session-store.ts';
import type { SignInAccount, SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/**
 * False for an unknown user (null), after the same time as for a wrong password. Rejects with
 * `PasswordQueueFullError` if too many checks of the claimant wait.
 */
export type CheckAccountPassword = (
  account: SignInAccount | null,
  password: string,
  claimant: PasswordClaimant,
) => Promise<boolean>;

/** False if the user is not active. */
export type CheckPassword = (userId: UserId, password: string) => Promise<boolean>;

export interface CheckPasswordDeps {
  readonly signIns: SignInStore;
  readonly verifyPassword: PasswordVerifier;
  readonly hashPassword: PasswordHasher;
}

export function makeCheckAccountPassword(deps: CheckPasswordDeps): CheckAccountPassword {
  return async (account, password, claimant) => {
    const storedHash = account?.passwordHash ?? null;
    const { matches, isOutdated } = await deps.verifyPassword(storedHash, password, claimant);
    if (!matches || account === null || storedHash === null) return false;
    if (isOutdated) {
      const renewed = await deps.hashPassword(password);
      await deps.signIns.replacePasswordHash(account.principal.userId, storedHash, renewed);
    }
    return true;
  };
}

export function makeCheckPassword(deps: CheckPasswordDeps): CheckPassword {
  const check = makeCheckAccountPassword(deps);
  return async (userId, password) =>
    check(await deps.signIns.findById(userId), password, passwordClaimantOf(userId));
}

/** Signed-in users wait only for their own checks, whose number is limited. */
export function passwordClaimantOf(userId: UserId): PasswordClaimant {
  return { site: `user ${userId}`, client: userId };
}

/**
 * True if a passkey or a fresh sign-in at an identity provider proved the session in the last five minutes.
 * For people without a password, this replaces the password check (Contract: §16).
 */
export type HasProvenRecently = (call: Call) => Promise<boolean>;

export function makeHasProvenRecently(deps: {
  readonly sessions: SessionReader;
  readonly clock: Clock;
}): HasProvenRecently {
  return async ({ caller }) => {
    const sessionId = sessionIdOf(caller);
    const provenAt = sessionId === null ? null : await deps.sessions.findProvenAt(caller.userId, sessionId);
    return provenAt !== null && deps.clock() - provenAt < RECENT_SIGN_IN_MS;
  };
}

/**
 * Checks the password again. Each try counts towards `limit`. People without a password need a recent sign-in instead.
 */
export type ConfirmPerson = (
  call: Call,
  account: SignInAccount,
  password: unknown,
  limit: RateKey,
) => Promise<Result<void, ApplicationError>>;

export interface ConfirmPersonDeps {
  readonly checkAccountPassword: CheckAccountPassword;
  readonly hasProvenRecently: HasProvenRecently;
  readonly rateLimiter: RateLimiter;
}

export function makeConfirmPerson(deps: ConfirmPersonDeps): ConfirmPerson {
  return async (call, account, sent, limit) => {
    if (account.passwordHash === null) {
      return (await deps.hasProvenRecently(call)) ? ok(undefined) : err(RECENT_SIGN_IN_REQUIRED);
    }
    const password = parseText('password', sent);
    if (!password.ok) return password;
    const rate = await deps.rateLimiter.consume(limit);
    if (!rate.allowed) return err(tooManyAttempts(rate));
    const claimant = passwordClaimantOf(call.caller.userId);
    return (await deps.checkAccountPassword(account, password.value, claimant))
      ? ok(undefined)
      : err(WRONG_PASSWORD);
  };
}

/** Unchecked input. */
export interface PasswordInput {
  readonly currentPassword: unknown;
  readonly newPassword: unknown;
}

/**
 * Needs a session and the current password. Checks in this order: body, rate limit, password. The caller's other
 * sessions end, their API keys stay, and they get a mail.
 */
export type ChangePassword = (call: Call, input: PasswordInput) => Promise<Result<void, ApplicationError>>;

export interface ChangePasswordDeps {
  readonly signIns: SignInStore;
  readonly checkAccountPassword: CheckAccountPassword;
  readonly hashPassword: PasswordHasher;
  readonly notifyUser: NotifyUser;
  readonly rateLimiter: RateLimiter;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

export function makeChangePassword(deps: ChangePasswordDeps): ChangePassword {
  return async (call, input) => {
    const { userId } = call.caller;
    const attempt = { action: 'auth.password.changed', resourceId: userId } as const;
    const refusal = refuseWithoutSession(call.caller);
    if (refusal !== null) return deps.deny(call, attempt, refusal);
    const sent = parsePasswords(input);
    if (!sent.ok) return sent;
    const account = await deps.signIns.findById(userId);
    if (account === null) return err(ACCOUNT_GONE);
    const rate = await deps.rateLimiter.consume(passwordChanges(userId));
    if (!rate.allowed) return deps.deny(call, attempt, tooManyAttempts(rate));
    const { currentPassword, newPassword } = sent.value;
    const isRight = await deps.checkAccountPassword(account, currentPassword, passwordClaimantOf(userId));
    if (!isRight) return deps.deny(call, attempt, WRONG_PASSWORD);
    const passwordHash = await deps.hashPassword(newPassword);
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<void, ApplicationError>> => {
      const epoch = await tx.passwords.holdEpoch(userId);
      if (epoch === null) return err(ACCOUNT_GONE);
      if (epoch !== account.passwordEpoch) return deps.deny(call, attempt, WRONG_PASSWORD, tx);
      const now = deps.clock();
      if (!(await isSessionLive(tx, call.caller, now))) return deps.deny(call, attempt, SESSION_OVER, tx);
      await tx.passwords.change(userId, passwordHash);
      await tx.sessions.endOthers(userId, sessionIdOf(call.caller), now);
      await deps.notifyUser(tx, userId, { kind: 'password-changed', facts: { at: now } });
      await tx.audit(deps.makeEntry(call, attempt));
      return ok(undefined);
    });
  };
}

function parsePasswords({
  currentPassword,
  newPassword,
}: PasswordInput): Result<{ currentPassword: string; newPassword: string }, ApplicationError> {
  const faults = textFaults({ currentPassword, newPassword });
  if (typeof newPassword === 'string') faults.push(...unfitFaults(newPassword, currentPassword));
  if (typeof currentPassword === 'string' && typeof newPassword === 'string' && faults.length === 0) {
    return ok({ currentPassword, newPassword });
  }
  return err(toValidationError(faults));
}

function unfitFaults(newPassword: string, currentPassword: unknown): FieldError[] {
  const faults = newPasswordFaults('newPassword', newPassword);
  if (faults.length > 0) return faults;
  if (newPassword === currentPassword) {
    const message = 'newPassword must differ from currentPassword';
    return [{ path: 'newPassword', code: 'invalid_value', message }];
  }
  return [];
}
