/** What callers of API keys and sessions may do. A key never has more than its user (Contract: §2). */
import type { ApiKeyId, OrgId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import { type AccessScope, narrowTo } from './access-scope.ts';
import type { Caller } from './caller.ts';

/** A user's current access. Only active users are principals. */
export interface Principal {
  readonly userId: UserId;
  readonly scope: AccessScope;
  readonly permissions: ReadonlySet<string>;
  readonly isPlatformAdmin: boolean;
  /** Increases when all issued tokens must stop working (a changed password, membership or status). */
  readonly authEpoch: number;
  /** Whether the user has a second factor. */
  readonly isMfaEnrolled: boolean;
  /** Increases when the second factor changes, so that MFA verified before no longer counts. */
  readonly mfaEpoch: number;
  /** Ended sessions whose access tokens may not have expired yet. */
  readonly endedSessionIds: ReadonlySet<string>;
}

/** What an access token says about its session. */
export interface SessionClaims {
  readonly sessionId: string;
  readonly mfaVerifiedAt: EpochMs | null;
  /** The user's MFA epoch at that time; null if MFA was not verified. */
  readonly mfaEpoch: number | null;
}

export interface ApiKeyGrant {
  readonly id: ApiKeyId;
  /** Narrows the key to this organization. */
  readonly orgId: OrgId | null;
  readonly permissions: ReadonlySet<string>;
  readonly expiresAt: EpochMs | null;
  readonly isRevoked: boolean;
}

/** An API key: `fsk_` followed by 32 random bytes in base64url. */
export const API_KEY_FORMAT = /^fsk_[A-Za-z0-9_-]{43}$/;

/** The caller that a key represents at `now`, or null if it has expired or been revoked. */
export function callerOfApiKey(grant: ApiKeyGrant, user: Principal, now: EpochMs): Caller | null {
  if (grant.isRevoked || (grant.expiresAt !== null && grant.expiresAt <= now)) return null;
  return {
    userId: user.userId,
    credential: { kind: 'api-key', apiKeyId: grant.id },
    scope: grant.orgId === null ? user.scope : narrowTo(user.scope, grant.orgId),
    permissions: grant.permissions.intersection(user.permissions),
    // Only a person can be a platform administrator.
    isPlatformAdmin: false,
  };
}

/** The caller of a session, or null if it has ended. The auth epochs must have been compared already. */
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
