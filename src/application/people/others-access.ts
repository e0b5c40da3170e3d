/** Second factors, sessions and API keys of other people (Contract: §16). All need users:write and a session. */
import { refuseWithoutUsersWrite } from '#application/access/refusals.ts';
import { type ApplicationError, PERSON_NOT_FOUND } from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { SESSION_NEEDED } from '#application/auth/auth-refusals.ts';
import type { RequireFreshMfa } from '#application/auth/mfa/fresh-mfa.ts';
import { type OwnSession, sessionIdOf } from '#application/auth/sessions/own-sessions.ts';
import type { Call } from '#application/call.ts';
import type { ApiKeyReader, ApiKeySummary } from '#application/ports/auth/stores/api-key-store.ts';
import type { SessionReader } from '#application/ports/auth/stores/session-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { PeopleReader } from '#application/ports/people/people-store.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#domain/access/caller.ts';
import { attributionOf } from '#domain/access/ownership.ts';
import { type ChangeablePerson, standingOf } from '#domain/access/person.ts';
import { isOwnAccount } from '#domain/access/rights.ts';
import type { AuditAction, AuditEntry } from '#domain/audit/audit-entry.ts';
import type { ApiKeyId, SessionId, UserId } from '#domain/ids.ts';
import type { AccountNotice } from '#domain/mail/queued-mail.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { RIGHTS_REFUSALS, refuseRightsIn } from './rights-refusals.ts';

type Listed<T> = (call: Call, id: UserId) => Promise<Result<readonly T[], ApplicationError>>;

/** Live sessions, last used first; at most 200. */
export type ListSessionsOf = Listed<OwnSession>;

/** Keys that are not revoked, newest first. */
export type ListApiKeysOf = Listed<ApiKeySummary>;

type Done = Promise<Result<void, ApplicationError>>;

/** Removes every factor and recovery code, ends the sessions, and mails the person. Needs fresh MFA. */
export type ResetMfaOf = (call: Call, id: UserId) => Done;

/** Ends one session, or all if `sessionId` is null. Needs fresh MFA. */
export type EndSessionOf = (call: Call, id: UserId, sessionId: SessionId | null) => Done;

/** Revokes one key, or all if `keyId` is null. The person gets a mail for each. Needs fresh MFA. */
export type RevokeApiKeyOf = (call: Call, id: UserId, keyId: ApiKeyId | null) => Done;

export interface OthersAccessDeps {
  readonly peopleReader: PeopleReader;
  readonly sessions: SessionReader;
  readonly apiKeys: ApiKeyReader;
  readonly requireFreshMfa: RequireFreshMfa;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

/** Sessions beyond this number can only be ended all at once. */
const MAX_LISTED = 200;

export function makeListSessionsOf({ sessions, clock, ...deps }: OthersAccessDeps): ListSessionsOf {
  return listOf(deps, async (id, caller) => {
    const current = sessionIdOf(caller);
    const found = await sessions.listLive(id, clock(), MAX_LISTED, caller.scope);
    return found.map((session) => ({ ...session, isCurrent: session.id === current }));
  });
}

export function makeListApiKeysOf({ apiKeys, ...deps }: OthersAccessDeps): ListApiKeysOf {
  return listOf(deps, (id, { scope }) => apiKeys.list(id, scope));
}

function listOf<T>(
  { peopleReader }: Pick<OthersAccessDeps, 'peopleReader'>,
  list: (id: UserId, caller: Caller) => Promise<readonly T[]>,
): Listed<T> {
  return async (call, id) => {
    const { caller } = call;
    const refusal = refuseWithoutUsersWrite(call);
    if (refusal !== null) return err(refusal);
    // A leaked key must not tell where people are signed in.
    if (caller.credential.kind === 'api-key') return err(SESSION_NEEDED);
    const person = await peopleReader.find(caller.scope, id);
    return person === null ? err(PERSON_NOT_FOUND) : ok(await list(id, caller));
  };
}

export function makeResetMfaOf(deps: OthersAccessDeps): ResetMfaOf {
  return (call, id) =>
    inPerson(deps, call, { action: 'user.mfa_reset', id }, async (tx, person) => {
      const now = deps.clock();
      const hadFactor = await tx.mfa.removeFactor(id);
      await tx.sessions.endOthers(id, null, now);
      await notify(deps, tx, person, { kind: 'mfa-removed', facts: { at: now } });
      return ok({ hadFactor });
    });
}

export function makeEndSessionOf(deps: OthersAccessDeps): EndSessionOf {
  return (call, id, sessionId) =>
    inPerson(deps, call, { action: 'user.session_ended', id }, async (tx) => {
      const now = deps.clock();
      if (sessionId === null) return ok({ ended: await tx.sessions.endOthers(id, null, now) });
      if (!(await tx.sessions.holdLive(id, sessionId, now))) return err(SESSION_NOT_FOUND);
      await tx.sessions.end(sessionId, now);
      return ok({ sessionId });
    });
}

export function makeRevokeApiKeyOf(deps: OthersAccessDeps): RevokeApiKeyOf {
  return (call, id, keyId) =>
    inPerson(deps, call, { action: 'user.api_key_revoked', id }, async (tx, person) => {
      const at = deps.clock();
      const keyIds =
        keyId === null ? (await deps.apiKeys.list(id, call.caller.scope)).map((key) => key.id) : [keyId];
      const revoked: ApiKeyId[] = [];
      for (const each of keyIds) {
        const key = await tx.apiKeys.revoke(id, each, at);
        if (key === null) continue;
        revoked.push(each);
        await notify(deps, tx, person, { kind: 'api-key-revoked', facts: { at, name: key.name } });
      }
      if (keyId !== null && revoked.length === 0) return err(API_KEY_NOT_FOUND);
      return ok(keyId === null ? { revoked: revoked.length } : { apiKeyId: keyId });
    });
}

/** Runs `work` if the caller may act on the person. The audit entry has the details that `work` returns. */
async function inPerson(
  deps: OthersAccessDeps,
  call: Call,
  { action, id }: { readonly action: AuditAction; readonly id: UserId },
  work: (
    tx: Transaction,
    person: ChangeablePerson,
  ) => Promise<Result<AuditEntry['details'], ApplicationError>>,
): Done {
  const attempt = { action, resourceId: id };
  const refusal =
    (isOwnAccount(call.caller, id) ? RIGHTS_REFUSALS['own-account'] : null) ??
    refuseWithoutUsersWrite(call) ??
    deps.requireFreshMfa(call);
  if (refusal !== null) return deps.deny(call, attempt, refusal);
  return deps.unitOfWork(call.caller.scope, async (tx): Done => {
    const person = await tx.people.hold(id);
    if (person === null) return deps.deny(call, attempt, PERSON_NOT_FOUND, tx);
    const where = attributionOf(person.membership);
    const standing = standingOf(person);
    const denied = await refuseRightsIn(tx, call.caller, { userId: id, before: standing, after: standing });
    if (denied !== null) return deps.deny(call, { ...attempt, orgId: where.orgId }, denied, tx);
    const done = await work(tx, person);
    if (!done.ok) return deps.deny(call, { ...attempt, orgId: where.orgId }, done.error, tx);
    await tx.audit(deps.makeEntry(call, { ...attempt, ...where, details: done.value }));
    return ok(undefined);
  });
}

async function notify(
  { newId }: OthersAccessDeps,
  tx: Transaction,
  { id: userId, email, name, status }: ChangeablePerson,
  notice: AccountNotice,
): Promise<void> {
  if (status !== 'active') return;
  await tx.mail({ ...notice, requestId: newId<'account-notice'>(), to: { userId, email, name } });
}

/** Sessions of other people get the same message, so ids cannot be probed. */
export const SESSION_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'The person has no such session.',
};

/** Keys of other people get the same message, so ids cannot be probed. */
export const API_KEY_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'The person has no such API key.',
};
