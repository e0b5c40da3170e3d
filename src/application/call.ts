import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import { type Session, storableUserAgent } from '#domain/access/session.ts';
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { AsEvaluation } from './ports/filters/device-matcher.ts';

/** A request whose caller may be unknown. */
export interface Visit {
  /** 1-128 characters; names the request in answers and logs. */
  readonly requestId: string;
  /** Null for calls that do not come over the network. */
  readonly ip: string | null;
  /** Only set for calls that store it with a session. */
  readonly userAgent?: string | null;
  /**
   * Releases the request's turn before a wait that needs no turn, such as a wait for the disk. A second call
   * does nothing.
   */
  readonly endTurn?: () => void;
}

/** The client facts that a session stores. */
export function clientOfVisit({ ip, userAgent }: Visit): Pick<Session, 'ip' | 'userAgent'> {
  return { ip, userAgent: storableUserAgent(userAgent) };
}

/** The first argument of every use case; made by `makeCall`. */
export interface Call extends Visit {
  readonly caller: Caller;
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal;
  /** For exports: gives each part that evaluates the filter an `evaluation` turn. */
  readonly asEvaluation?: AsEvaluation;
  /**
   * Returns the caller's current reach, for long-running work. Null if the credential would be refused now;
   * an expired one is still accepted.
   */
  readonly reachNow?: () => Promise<AccessScope | null>;
}

// What an embedding program states about a caller and a request.

export interface CallFacts {
  /** The audit log names this user. */
  readonly userId: UserId;
  readonly scope: AccessScope;
  /** For example `devices:write`; default: none. */
  readonly permissions?: Iterable<string>;
  readonly isPlatformAdmin?: boolean;
  /** When the embedding program verified the second factor of this user; default: never. */
  readonly mfaVerifiedAt?: EpochMs | null;
  /** 1-128 characters of `[A-Za-z0-9._-]`; names the call in logs and the audit log. */
  readonly requestId: string;
  readonly ip?: string | null;
  /** Aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal;
}

export function makeCall({ requestId, ip = null, signal, ...facts }: CallFacts): Call {
  return { requestId, ip, caller: makeCaller(facts), ...(signal !== undefined && { signal }) };
}

/** The caller for a user who has no session of the service. */
export function makeCaller(
  facts: Pick<CallFacts, 'userId' | 'scope' | 'permissions' | 'isPlatformAdmin' | 'mfaVerifiedAt'>,
): Caller {
  const { userId, scope, permissions = [], isPlatformAdmin = false, mfaVerifiedAt = null } = facts;
  return {
    userId,
    scope,
    permissions: new Set(permissions),
    isPlatformAdmin,
    credential: {
      kind: 'session',
      sessionId: '',
      authEpoch: 0,
      isMfaEnrolled: mfaVerifiedAt !== null,
      mfaVerifiedAt,
    },
  };
}
