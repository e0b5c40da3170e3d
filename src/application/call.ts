import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import { type Session, storableUserAgent } from '#domain/access/session.ts';
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { AsEvaluation } from './ports/filters/device-matcher.ts';

/** A request whose caller may be unknown. */
export interface Visit {
  /** 1-128 characters; identifies the request in answers, logs and the audit log. */
  readonly requestId: string;
  /** The client's address; null for calls that do not come over the network. */
  readonly ip: string | null;
  /** As sent; only set where a session records it. */
  readonly userAgent?: string | null;
  /**
   * Ends the request's turn early, once only waiting is left, as for an audit entry to be on disk. May be called more than
   * once.
   */
  readonly endTurn?: () => void;
}

/** The client facts that a session stores. */
export function clientOfVisit({ ip, userAgent }: Visit): Pick<Session, 'ip' | 'userAgent'> {
  return { ip, userAgent: storableUserAgent(userAgent) };
}

/** The first argument of every use case. Create it with `makeCall`. */
export interface Call extends Visit {
  readonly caller: Caller;
  /** Aborts when the client has gone. */
  readonly signal?: AbortSignal;
  /** For exports: each part that evaluates conditions takes a turn among evaluations. */
  readonly asEvaluation?: AsEvaluation;
  /**
   * For long work: the caller's current reach. Null once the credential would be refused for another reason than its
   * expiry.
   */
  readonly reachNow?: () => Promise<AccessScope | null>;
}

// Calls by a program that embeds the service and vouches for its users.

export interface CallFacts {
  /** The audit log names this user. */
  readonly userId: UserId;
  readonly scope: AccessScope;
  /** Such as `devices:write`; default: none. */
  readonly permissions?: Iterable<string>;
  readonly isPlatformAdmin?: boolean;
  /** When the program verified their second factor; default: never. */
  readonly mfaVerifiedAt?: EpochMs | null;
  /** 1-128 characters of `[A-Za-z0-9._-]`; identifies the call in logs and the audit log. */
  readonly requestId: string;
  /** Default: none. */
  readonly ip?: string | null;
  /** Aborts when nobody waits for the answer. */
  readonly signal?: AbortSignal;
}

/** A call whose facts the program vouches for. */
export function makeCall({ requestId, ip = null, signal, ...facts }: CallFacts): Call {
  return { requestId, ip, caller: makeCaller(facts), ...(signal !== undefined && { signal }) };
}

/** A user whom the program signed in, without a session of the service. */
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
