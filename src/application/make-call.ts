/** Calls of use cases by a program that has the service inside it and vouches for who is asking. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { Call } from './call.ts';

/** Who asks, and what is on record of the request. */
export interface CallFacts {
  /** The user who asks, or for whom the program does: the audit log names them. */
  readonly userId: UserId;
  /** What they can reach. */
  readonly scope: AccessScope;
  /** Beyond what everybody may do, such as `devices:write`; default: none. */
  readonly permissions?: Iterable<string>;
  readonly isPlatformAdmin?: boolean;
  /** When the program verified a second factor of theirs; default: never. */
  readonly mfaVerifiedAt?: EpochMs | null;
  /** Identifies the call in logs and in the audit log: 1-128 characters of `[A-Za-z0-9._-]`. */
  readonly requestId: string;
  /** The address that they come from; default: none. */
  readonly ip?: string | null;
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** The call; your program vouches for what it says. */
export function makeCall({ requestId, ip = null, signal, ...facts }: CallFacts): Call {
  return { requestId, ip, caller: makeCaller(facts), ...(signal !== undefined && { signal }) };
}

/** Somebody that the program signed in: none of the service's sessions is theirs. */
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
