/** Sets a new password by a link in a mail (POST /auth/password-reset; Contract: §16). */
import { type ApplicationError, invalidField, toValidationError } from '#application/application-error.ts';
import { asDenied, isOnRecord, type MakeVisitEntry } from '#application/audit/make-entry.ts';
import {
  resetMailsFromOwnNetwork,
  resetMailsOfEmail,
  resetMailsOfNetwork,
} from '#application/auth/attempt-limits.ts';
import { parseText, textFaults } from '#application/auth/auth-input.ts';
import {
  CODE_REQUIRED,
  EITHER_PROOF,
  INVALID_CODE,
  INVALID_PASSKEY,
} from '#application/auth/auth-refusals.ts';
import type { CheckCode, CountCode } from '#application/auth/mfa/mfa-codes.ts';
import type { NotifyUser } from '#application/auth/notify-user.ts';
import type { CheckOwnPasskey, PasskeyAnswer } from '#application/auth/passkeys/check-passkey.ts';
import { proveByCode } from '#application/auth/sessions/sign-in.ts';
import type { Visit } from '#application/call.ts';
import type { Job } from '#application/job.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { LinkedAccount } from '#application/ports/auth/stores/link-store.ts';
import type { HasSignedInFrom } from '#application/ports/auth/stores/own-networks.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { LINK_LIFETIME_MS } from '#domain/access/account-link.ts';
import { networkOf, OWN_NETWORK_MS } from '#domain/access/network.ts';
import { attributionOf } from '#domain/access/ownership.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { unstorableReason } from '#domain/text/storable-text.ts';
import { digestToken, LINK_INVALID, newPasswordFaults } from './link-input.ts';

/**
 * Only stores the request; a job sends the mail. So the answer takes the same time with or without an
 * account. If a limit is exceeded, nothing is stored, but the answer is the same.
 */
export type RequestPasswordReset = (visit: Visit, email: unknown) => Promise<Result<void, ApplicationError>>;

export interface RequestResetDeps {
  readonly rateLimiter: RateLimiter;
  readonly hasSignedInFrom: HasSignedInFrom;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

export function makeRequestPasswordReset(deps: RequestResetDeps): RequestPasswordReset {
  const { rateLimiter, hasSignedInFrom, unitOfWork, clock } = deps;
  return async ({ ip }, sent) => {
    const email = parseText('email', sent);
    if (!email.ok) return email;
    const reason = unstorableReason(email.value);
    if (reason !== null) return err(invalidField('email', 'invalid_value', `email ${reason}`));
    const now = clock();
    const ofNetwork = ip === null ? null : resetMailsOfNetwork(ip);
    if (ofNetwork !== null && !(await rateLimiter.consume(ofNetwork)).allowed) return ok(undefined);
    const isOwn =
      ip !== null && (await hasSignedInFrom({ email: email.value }, networkOf(ip), now - OWN_NETWORK_MS));
    const ofEmail = isOwn ? resetMailsFromOwnNetwork(email.value, ip) : resetMailsOfEmail(email.value);
    if (!(await rateLimiter.consume(ofEmail)).allowed) {
      if (ofNetwork !== null) await rateLimiter.refund(ofNetwork);
      return ok(undefined);
    }
    await unitOfWork(SYSTEM_SCOPE, (tx) => tx.links.requestReset(email.value, now));
    return ok(undefined);
  };
}

export const RESET_JOB = 'password-resets';

export interface ResetJobDeps {
  readonly unitOfWork: UnitOfWork;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

/** Turns stored reset requests into links and mails, one transaction each. */
export function makeResetJob({ unitOfWork, secrets, clock, newId }: ResetJobDeps): Job {
  const answerNext = () =>
    unitOfWork(SYSTEM_SCOPE, async (tx) => {
      const person = await tx.links.takeResetRequest();
      if (person === null || person === 'nobody') return person !== null;
      const [token, at] = [secrets.linkToken(), clock()];
      const purpose = 'password-reset';
      const { userId, email, name } = person;
      await tx.links.addLink({ purpose, userId, tokenSha256: digestToken(secrets, token), at });
      await tx.mail({
        kind: 'password-reset-link',
        requestId: newId<'account-notice'>(),
        to: { userId, email, name },
        facts: { token, at, expiresAt: at + LINK_LIFETIME_MS[purpose] },
      });
      return true;
    });
  return {
    name: RESET_JOB,
    concurrency: 1,
    run: async ({ stopping }) => {
      while (!stopping.aborted && (await answerNext()));
    },
  };
}

/** Unchecked input. */
export interface ResetInput {
  readonly token: unknown;
  readonly newPassword: unknown;
  readonly code: unknown;
  /** Takes the place of the code. */
  readonly passkey?: PasskeyAnswer | null;
}

/**
 * Checks in this order: body, link, second factor. A wrong code counts towards its limits and leaves the link
 * valid. On success, all sessions end, other links become void, API keys stay, and the person gets a mail.
 */
export type ConfirmPasswordReset = (
  visit: Visit,
  input: ResetInput,
) => Promise<Result<void, ApplicationError>>;

export interface ConfirmResetDeps {
  readonly signIns: SignInStore;
  readonly checkCode: CheckCode;
  readonly countCode: CountCode;
  readonly checkOwnPasskey: CheckOwnPasskey;
  readonly hashPassword: PasswordHasher;
  readonly notifyUser: NotifyUser;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly makeVisitEntry: MakeVisitEntry;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
}

export function makeConfirmPasswordReset(deps: ConfirmResetDeps): ConfirmPasswordReset {
  return async (visit, input) => {
    const sent = parseReset(input);
    if (!sent.ok) return sent;
    const { newPassword, code } = sent.value;
    const { passkey = null } = input;
    const tokenSha256 = digestToken(deps.secrets, sent.value.token);
    const hold = (tx: Transaction) => tx.links.hold(tokenSha256, 'password-reset', deps.clock());
    const person = await deps.unitOfWork(SYSTEM_SCOPE, hold);
    const account =
      person === null || person === 'nobody' ? null : await deps.signIns.findById(person.userId);
    if (person === null || person === 'nobody' || account === null) return err(LINK_INVALID);
    const { principal } = account;
    if (principal.isMfaEnrolled && code === null && passkey === null) return err(CODE_REQUIRED);
    const counted = principal.isMfaEnrolled ? await deps.countCode(visit, principal.userId) : null;
    if (counted?.ok === false) {
      if (!isOnRecord(counted.error)) {
        await deps.auditLog({ ...entryOf(deps, visit, person), ...asDenied(counted.error.code) });
      }
      return counted;
    }
    const proven = passkey === null ? null : await deps.checkOwnPasskey(passkey, principal.userId);
    const passwordHash = await deps.hashPassword(newPassword);
    const changed = await deps.unitOfWork(
      SYSTEM_SCOPE,
      async (tx): Promise<Result<void, ApplicationError>> => {
        const held = await hold(tx);
        if (held === null || held === 'nobody') return err(LINK_INVALID);
        const entry = entryOf(deps, visit, held);
        const isProven =
          passkey === null
            ? (await proveByCode(deps, principal, code)(tx)).ok
            : proven !== null && (await tx.passkeys.use(proven.passkey.id, proven.use));
        if (!isProven) {
          await tx.audit({ ...entry, ...asDenied(INVALID_CODE.code) });
          return err(passkey === null ? INVALID_CODE : INVALID_PASSKEY);
        }
        const now = deps.clock();
        await tx.passwords.change(held.userId, passwordHash);
        await tx.links.removeLinks(held.userId);
        await tx.sessions.endOthers(held.userId, null, now);
        await deps.notifyUser(tx, held.userId, { kind: 'password-reset', facts: { at: now } });
        await tx.audit(entry);
        return ok(undefined);
      },
    );
    await counted?.value.settle(changed);
    return changed;
  };
}

function entryOf(
  { makeVisitEntry }: Pick<ConfirmResetDeps, 'makeVisitEntry'>,
  visit: Visit,
  { userId, membership }: LinkedAccount,
): AuditEntry {
  const facts = { action: 'auth.password.reset', resourceId: userId, details: {} } as const;
  const entry = makeVisitEntry(visit, { ...facts, ...attributionOf(membership) });
  return { ...entry, actor: { type: 'user', id: userId } };
}

interface CheckedReset {
  readonly token: string;
  readonly newPassword: string;
  readonly code: string | null;
}

function parseReset({
  token,
  newPassword,
  code,
  passkey = null,
}: ResetInput): Result<CheckedReset, ApplicationError> {
  const sentCode = code === undefined || code === '' ? null : code;
  const faults = [
    ...(passkey !== null && sentCode !== null ? [EITHER_PROOF] : []),
    ...textFaults({ token, newPassword, ...(sentCode !== null && { code: sentCode }) }),
    ...newPasswordFaults('newPassword', newPassword),
  ];
  if (faults.length > 0 || typeof token !== 'string' || typeof newPassword !== 'string') {
    return err(toValidationError(faults));
  }
  return ok({ token, newPassword, code: typeof sentCode === 'string' ? sentCode : null });
}
