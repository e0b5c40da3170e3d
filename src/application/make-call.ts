/** Calls by a program that embeds the service and vouches for its users. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { Call } from './call.ts';

/** The caller and the request's facts. */
export interface CallFacts {
  /** The user who asks; the audit log names them. */
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
