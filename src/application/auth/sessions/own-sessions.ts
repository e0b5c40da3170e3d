/** The caller's own sessions (Contract: §14). */

import { ACCOUNT_GONE, type ApplicationError } from '#application/application-error.ts';
import type { Attempt, Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { SESSION_NEEDED, SESSION_OVER, SIGNED_IN_ELSEWHERE } from '#application/auth/auth-refusals.ts';
import type { Call } from '#application/call.ts';
import type { SessionReader } from '#application/ports/auth/stores/session-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Session } from '#domain/access/session.ts';
import { parseId, type SessionId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** Null for API keys and for users of an embedding program. */
export function sessionIdOf({ credential }: Caller): SessionId | null {
  return credential.kind === 'session' ? parseId<'session'>(credential.sessionId) : null;
}

/** Null if the caller signed in here. */
export function refuseWithoutSession(
  caller: Caller,
  forKeys: ApplicationError = SESSION_NEEDED,
): ApplicationError | null {
  if (caller.credential.kind === 'api-key') return forKeys;
  return sessionIdOf(caller) === null ? SIGNED_IN_ELSEWHERE : null;
}

/**
 * Reads the stored session, because an access token may outlive it. Locks a live session until the transaction ends.
 */
export async function isSessionLive(
  tx: Pick<Transaction, 'sessions'>,
  caller: Caller,
  now: EpochMs,
): Promise<boolean> {
  const sessionId = sessionIdOf(caller);
  return sessionId !== null && (await tx.sessions.holdLive(caller.userId, sessionId, now));
}

export interface OwnSession extends Pick<Session, 'id' | 'createdAt' | 'lastUsedAt' | 'ip' | 'userAgent'> {
  readonly isCurrent: boolean;
}

/**
 * Sessions that can be refreshed, last used first; at most 200. Refuses API keys. Users of an embedding program have
 * sessions only if they also sign in here.
 */
export type ListSessions = (call: Call) => Promise<Result<readonly OwnSession[], ApplicationError>>;

/** May end the current session. `not_found` if the session is another user's or over. */
export type EndSession = (call: Call, id: SessionId) => Promise<Result<void, ApplicationError>>;

/** Ends every session but the current one. */
export type EndOtherSessions = (call: Call) => Promise<Result<void, ApplicationError>>;

export interface OwnSessionsDeps {
  readonly sessions: SessionReader;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

/** Sessions beyond this number can only be ended all at once. */
const MAX_LISTED = 200;

export function makeListSessions({ sessions, clock }: OwnSessionsDeps): ListSessions {
  return async ({ caller }) => {
    if (caller.credential.kind === 'api-key') return err(SESSION_NEEDED);
    const current = sessionIdOf(caller);
    const found = await sessions.listLive(caller.userId, clock(), MAX_LISTED);
    return ok(
      found.map(({ id, createdAt, lastUsedAt, ip, userAgent }) => ({
        ...{ id, createdAt, lastUsedAt, ip, userAgent },
        isCurrent: id === current,
      })),
    );
  };
}

export function makeEndSession(deps: OwnSessionsDeps): EndSession {
  return (call, id) => {
    const attempt = { action: 'auth.session.ended', resourceId: id } as const;
    return inOwnSession(deps, call, attempt, async (tx) => {
      const now = deps.clock();
      if (!(await tx.sessions.holdLive(call.caller.userId, id, now))) {
        return deps.deny(call, attempt, SESSION_NOT_FOUND, tx);
      }
      await tx.sessions.end(id, now);
      await tx.audit(deps.makeEntry(call, attempt));
      return ok(undefined);
    });
  };
}

export function makeEndOtherSessions(deps: OwnSessionsDeps): EndOtherSessions {
  return (call) => {
    const attempt = { action: 'auth.session.ended', resourceId: null } as const;
    return inOwnSession(deps, call, attempt, async (tx, current) => {
      const ended = await tx.sessions.endOthers(call.caller.userId, current, deps.clock());
      await tx.audit(deps.makeEntry(call, { ...attempt, details: { ended } }));
      return ok(undefined);
    });
  };
}

/** Refuses API keys and sessions that are over. An embedding program checks its sessions itself. */
function inOwnSession(
  { unitOfWork, deny, clock }: OwnSessionsDeps,
  call: Call,
  attempt: Attempt,
  work: (tx: Transaction, current: SessionId | null) => Promise<Result<void, ApplicationError>>,
): Promise<Result<void, ApplicationError>> {
  return unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<void, ApplicationError>> => {
    const { caller } = call;
    if (caller.credential.kind === 'api-key') return deny(call, attempt, SESSION_NEEDED, tx);
    const current = sessionIdOf(caller);
    // Takes a lock, because two sessions may end each other at the same time.
    const account = await tx.deletions.holdAccount(caller.userId);
    if (current === null) return work(tx, current);
    if (account === null) return err(ACCOUNT_GONE);
    if (!(await isSessionLive(tx, caller, clock()))) return deny(call, attempt, SESSION_OVER, tx);
    return work(tx, current);
  });
}

/** Sessions of other users get the same message, so ids cannot be probed. */
export const SESSION_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'You have no such session.',
};
