/** The caller's own sessions: where they are signed in, and ending that elsewhere (Contract: §14). */
import { ACCOUNT_GONE, type ApplicationError } from '#application/application-error.ts';
import type { Attempt, Deny, MakeEntry } from '#application/audit/make-entry.ts';
import { SESSION_NEEDED, SESSION_OVER } from '#application/auth/auth-refusals.ts';
import { isSessionLive } from '#application/auth/mfa/live-session.ts';
import type { Call } from '#application/call.ts';
import type { SessionReader } from '#application/ports/auth/stores/session-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Session } from '#domain/access/session.ts';
import { parseId, type SessionId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** A session as its user sees it. */
export interface OwnSession extends Pick<Session, 'id' | 'createdAt' | 'lastUsedAt' | 'ip' | 'userAgent'> {
  /** Whether the caller is in it. */
  readonly isCurrent: boolean;
}

/** Those that can be refreshed, the last used first; at most 200. Needs a session, like all of these. */
export type ListSessions = (call: Call) => Promise<Result<readonly OwnSession[], ApplicationError>>;

/** Ends one session, which may be the caller's own. Not found if it is somebody else's, or over. */
export type EndSession = (call: Call, id: SessionId) => Promise<Result<void, ApplicationError>>;

/** Ends every session but the caller's. */
export type EndOtherSessions = (call: Call) => Promise<Result<void, ApplicationError>>;

export interface OwnSessionsDeps {
  readonly sessions: SessionReader;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

/** Nobody signs in from more places. Those beyond it can be ended all at once. */
const MAX_LISTED = 200;

export function makeListSessions({ sessions, clock }: OwnSessionsDeps): ListSessions {
  return async ({ caller }) => {
    const current = sessionIdOf(caller);
    if (current === null) return err(SESSION_NEEDED);
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

/** Works in the caller's session, which must be live; else the attempt is denied. */
function inOwnSession(
  { unitOfWork, deny, clock }: OwnSessionsDeps,
  call: Call,
  attempt: Attempt,
  work: (tx: Transaction, current: SessionId) => Promise<Result<void, ApplicationError>>,
): Promise<Result<void, ApplicationError>> {
  return unitOfWork(SYSTEM_SCOPE, async (tx): Promise<Result<void, ApplicationError>> => {
    const { caller } = call;
    const current = sessionIdOf(caller);
    if (current === null) return deny(call, attempt, SESSION_NEEDED, tx);
    // Held, so that two sessions that end each other do it one after the other.
    if ((await tx.deletions.holdAccount(caller.userId)) === null) return err(ACCOUNT_GONE);
    if (!(await isSessionLive(tx, caller, clock()))) return deny(call, attempt, SESSION_OVER, tx);
    return work(tx, current);
  });
}

function sessionIdOf({ credential }: Caller): SessionId | null {
  return credential.kind === 'session' ? parseId<'session'>(credential.sessionId) : null;
}

/** The same for another user's session, and for one that is over. */
export const SESSION_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'You have no such session.',
};
