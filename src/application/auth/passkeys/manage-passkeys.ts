/** A person's own passkeys (Contract: §16). */
import {
  ACCOUNT_GONE,
  type ApplicationError,
  invalidField,
  quotaExceeded,
} from '#application/application-error.ts';
import type { Attempt, Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { passkeyPasswords } from '#application/auth/attempt-limits.ts';
import { SESSION_OVER } from '#application/auth/auth-refusals.ts';
import { newRecoveryCodes, refuseStale } from '#application/auth/mfa/enroll-mfa.ts';
import { MFA_NOT_POSSIBLE, type RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import type { NotifyUser } from '#application/auth/notify-user.ts';
import type { ConfirmPerson } from '#application/auth/passwords.ts';
import { isSessionLive, refuseWithoutSession, sessionIdOf } from '#application/auth/sessions/own-sessions.ts';
import type { Call } from '#application/call.ts';
import { parseName } from '#application/input-values.ts';
import type {
  CeremonyOptions,
  PasskeyCeremonies,
  RelyingParty,
} from '#application/ports/auth/passkey-ceremonies.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { IdentityProviderReader } from '#application/ports/auth/stores/identity-provider-store.ts';
import type { PasskeyReader } from '#application/ports/auth/stores/passkey-store.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { MAX_PASSKEYS, type Passkey } from '#domain/access/passkey.ts';
import { verifiedMfa } from '#domain/access/session.ts';
import type { PasskeyId, SessionId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { PasskeyAnswer, PasskeyChallenges } from './check-passkey.ts';

/** Lists the oldest passkey first. Needs a session. */
export type ListPasskeys = (call: Call) => Promise<Result<readonly Passkey[], ApplicationError>>;

/** Needs fresh MFA or, without a second factor, the password: a stolen token must not suffice to add a passkey. */
export type StartPasskey = (
  call: Call,
  party: RelyingParty,
  password: unknown,
) => Promise<Result<CeremonyOptions, ApplicationError>>;

export interface AddedPasskey {
  readonly passkey: Passkey;
  /** Set only if the passkey is the person's first factor. */
  readonly recoveryCodes: readonly string[] | null;
}

/** The session counts as verified, and the person gets a mail. */
export type AddPasskey = (
  call: Call,
  answer: PasskeyAnswer,
  name: unknown,
) => Promise<Result<AddedPasskey, ApplicationError>>;

/**
 * Needs fresh MFA. The person's other sessions end, and they get a mail. Their last way to sign in cannot be removed.
 */
export type RemovePasskey = (call: Call, id: PasskeyId) => Promise<Result<void, ApplicationError>>;

export interface ManagePasskeysDeps {
  readonly requireFreshMfa: RequireFreshMfa;
  readonly ceremonies: PasskeyCeremonies;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly passkeys: PasskeyReader;
  readonly signIns: SignInStore;
  readonly identityProviderReader: IdentityProviderReader;
  readonly confirmPerson: ConfirmPerson;
  readonly notifyUser: NotifyUser;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeListPasskeys({ passkeys }: ManagePasskeysDeps): ListPasskeys {
  return async ({ caller }) => {
    const refused = refuseWithoutSession(caller);
    return refused === null ? ok(await passkeys.list(caller.userId)) : err(refused);
  };
}

export function makeStartPasskey(deps: ManagePasskeysDeps): StartPasskey {
  return async (call, party, password) => {
    const { userId } = call.caller;
    const deny = (error: ApplicationError) => deps.deny(call, attemptOf(call), error);
    const sessionId = sessionIdOf(call.caller);
    if (sessionId === null) return deny(refuseWithoutSession(call.caller) ?? SESSION_OVER);
    const account = await deps.signIns.findById(userId);
    if (account === null) return err(ACCOUNT_GONE);
    if (account.principal.isMfaEnrolled) {
      const stale = refuseStale(deps, call);
      if (stale !== null) return deny(stale);
    }
    const isFresh = deps.requireFreshMfa(call) === null;
    if (!isFresh || (password !== undefined && password !== null)) {
      const confirmed = await deps.confirmPerson(call, account, password, passkeyPasswords(userId));
      if (!confirmed.ok)
        return confirmed.error.code === 'validation_failed' ? confirmed : deny(confirmed.error);
    }
    const { email, name } = account;
    const challenge = deps.passkeyChallenges.issue({ addIn: sessionId });
    const known = await deps.passkeys.list(userId);
    return ok(await deps.ceremonies.creationOptions(party, { challenge, userId, email, name, known }));
  };
}

export function makeAddPasskey(deps: ManagePasskeysDeps): AddPasskey {
  return async (call, { response, party }, sentName) => {
    const { userId } = call.caller;
    const attempt = attemptOf(call);
    const sessionId = sessionIdOf(call.caller);
    if (sessionId === null)
      return deps.deny(call, attempt, refuseWithoutSession(call.caller) ?? SESSION_OVER);
    const name = parseName(sentName);
    if (!name.ok) return err(invalidField('name', 'invalid_value', name.error));
    const claim = deps.ceremonies.readClaim(response);
    if (claim === null) return err(NOT_AN_ANSWER);
    // A challenge for this session proves that MFA or the password was checked before.
    const isAsked = await deps.passkeyChallenges.take(claim.challenge, { addIn: sessionId });
    const made = isAsked ? await deps.ceremonies.verifyCreation(party, claim, response) : null;
    if (made === null) return deps.deny(call, attempt, NOT_AN_ANSWER);
    const recoveryCodes = newRecoveryCodes(deps.secrets);
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<AddedPasskey, ApplicationError>> => {
      const deny = (error: ApplicationError) => deps.deny(call, attempt, error, tx);
      const factor = await tx.mfa.findFactor(userId);
      const now = deps.clock();
      if (!(await isSessionLive(tx, call.caller, now))) return deny(SESSION_OVER);
      // MFA is checked again, because a factor may have been set up since the options were given.
      const stale = factor === null ? null : refuseStale(deps, call);
      if (stale !== null) return deny(stale);
      if ((await tx.passkeys.hold(userId)).length >= MAX_PASSKEYS) return deny(TOO_MANY);
      const passkey: Passkey = {
        ...made,
        ...{ id: deps.newId<'passkey'>(), userId, name: name.value, createdAt: now, lastUsedAt: null },
      };
      if (!(await tx.passkeys.add(passkey))) return deny(KNOWN);
      const isFirst = factor === null;
      if (isFirst) await tx.mfa.replaceRecoveryCodes(userId, recoveryCodes.map(deps.secrets.digest));
      await proveSession(tx, call, sessionId, now);
      await tx.audit(deps.makeEntry(call, attempt));
      await deps.notifyUser(tx, userId, { kind: 'passkey-added', facts: { at: now, name: name.value } });
      return ok({ passkey, recoveryCodes: isFirst ? recoveryCodes : null });
    });
  };
}

/** Marks the session as verified, because adding a passkey proves that the person holds it. */
async function proveSession(tx: Transaction, { caller }: Call, id: SessionId, now: number): Promise<void> {
  const factor = await tx.mfa.findFactor(caller.userId);
  if (factor !== null) await tx.sessions.setMfa(caller.userId, id, verifiedMfa(now, factor.epoch), now);
}

export function makeRemovePasskey(deps: ManagePasskeysDeps): RemovePasskey {
  return async (call, id) => {
    const { userId } = call.caller;
    const attempt = { action: 'auth.passkey.removed', resourceId: userId } as const;
    const refused = refuseWithoutSession(call.caller, MFA_NOT_POSSIBLE) ?? deps.requireFreshMfa(call);
    if (refused !== null) return deps.deny(call, attempt, refused);
    const account = await deps.signIns.findById(userId);
    if (account === null) return err(ACCOUNT_GONE);
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<void, ApplicationError>> => {
      const now = deps.clock();
      const held = await tx.passkeys.hold(userId);
      if (!(await isSessionLive(tx, call.caller, now))) return deps.deny(call, attempt, SESSION_OVER, tx);
      if (!held.some((passkey) => passkey.id === id)) return deps.deny(call, attempt, PASSKEY_NOT_FOUND, tx);
      const hasAnotherWay =
        account.passwordHash !== null || held.length > 1 || (await hasProvider(deps, userId));
      if (!hasAnotherWay) return deps.deny(call, attempt, ONLY_WAY, tx);
      const removed = await tx.passkeys.remove(userId, id);
      if (removed === null) return deps.deny(call, attempt, PASSKEY_NOT_FOUND, tx);
      // Another session may have been started with the removed passkey.
      await tx.sessions.endOthers(userId, sessionIdOf(call.caller), now);
      await tx.audit(deps.makeEntry(call, attempt));
      await deps.notifyUser(tx, userId, { kind: 'passkey-removed', facts: { at: now, name: removed.name } });
      return ok(undefined);
    });
  };
}

async function hasProvider(
  { identityProviderReader }: Pick<ManagePasskeysDeps, 'identityProviderReader'>,
  userId: UserId,
): Promise<boolean> {
  const own = await identityProviderReader.listForPerson(userId);
  return own.some(({ identity }) => identity !== null);
}

/** Entries outlive the account, so they contain the user's id but nothing about the passkey. */
function attemptOf({ caller }: Call): Attempt {
  return { action: 'auth.passkey.added', resourceId: caller.userId };
}

export const PASSKEY_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'You have no such passkey.',
};

const ONLY_WAY: ApplicationError = {
  code: 'conflict',
  detail: 'This passkey is your only way to sign in. Add another one first, then remove this one.',
};

const NOT_AN_ANSWER: ApplicationError = invalidField(
  'response',
  'invalid_value',
  'response must be the answer of the browser to options of the last five minutes, made by this session and not used yet',
);

const KNOWN: ApplicationError = {
  code: 'conflict',
  detail: 'This passkey is in use already.',
};

const TOO_MANY = quotaExceeded(`an account has at most ${MAX_PASSKEYS} passkeys`);
