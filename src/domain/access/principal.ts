import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { AccessScope } from './access-scope.ts';
import type { Caller } from './caller.ts';

/** A user's current access. Only active users are principals. */
export interface Principal {
  readonly userId: UserId;
  readonly scope: AccessScope;
  readonly permissions: ReadonlySet<string>;
  readonly isPlatformAdmin: boolean;
  /**
   * Increases with a new membership or status, and with every load of the user. Each increase voids all issued tokens.
   */
  readonly authEpoch: number;
  readonly isMfaEnrolled: boolean;
  /** Increases when the second factor changes, and so voids earlier verifications. */
  readonly mfaEpoch: number;
  /** Ended sessions whose access tokens may not have expired yet. */
  readonly endedSessionIds: ReadonlySet<string>;
}

export interface SessionClaims {
  readonly sessionId: string;
  readonly mfaVerifiedAt: EpochMs | null;
  readonly mfaEpoch: number | null;
}

/** Null if the session has ended. The auth epochs must be compared before the call. */
export function callerOfSession(user: Principal, session: SessionClaims): Caller | null {
  if (user.endedSessionIds.has(session.sessionId)) return null;
  return {
    userId: user.userId,
    credential: {
      kind: 'session',
      sessionId: session.sessionId,
      authEpoch: user.authEpoch,
      isMfaEnrolled: user.isMfaEnrolled,
      mfaVerifiedAt: session.mfaEpoch === user.mfaEpoch ? session.mfaVerifiedAt : null,
    },
    scope: user.scope,
    permissions: user.permissions,
    isPlatformAdmin: user.isPlatformAdmin,
  };
}
