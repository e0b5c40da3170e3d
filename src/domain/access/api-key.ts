/** What an API key may do: what was given to it, and never more than its user has (Contract: §2). */
import type { ApiKeyId, OrgId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import { type AccessScope, narrowTo } from './access-scope.ts';
import type { Caller } from './caller.ts';

/** A user as far as access goes, as things are now. Only active users are handed out as principals. */
export interface Principal {
  readonly userId: UserId;
  readonly scope: AccessScope;
  readonly permissions: ReadonlySet<string>;
  readonly isPlatformAdmin: boolean;
  /** Moves on when every token that is out has to stop working (a changed password, membership or status). */
  readonly authEpoch: number;
  /** Whether the user has a second factor. */
  readonly isMfaEnrolled: boolean;
  /** Moves on with the factor: MFA that was verified before counts no more. */
  readonly mfaEpoch: number;
  /** Sessions that have ended while tokens of them may still be out. */
  readonly endedSessionIds: ReadonlySet<string>;
}

/** What a token says of the session that it was issued in. */
export interface SessionClaims {
  readonly sessionId: string;
  readonly mfaVerifiedAt: EpochMs | null;
  /** The user's MFA epoch at that time; null where MFA was not verified. */
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

/** An API key: `fsk_` and 32 random bytes in base64url. */
export const API_KEY_FORMAT = /^fsk_[A-Za-z0-9_-]{43}$/;

/** The caller that a key stands for at `now`, or null where it has expired or been revoked. */
export function callerOfApiKey(grant: ApiKeyGrant, user: Principal, now: EpochMs): Caller | null {
  if (grant.isRevoked || (grant.expiresAt !== null && grant.expiresAt <= now)) return null;
  return {
    userId: user.userId,
    credential: { kind: 'api-key', apiKeyId: grant.id },
    scope: grant.orgId === null ? user.scope : narrowTo(user.scope, grant.orgId),
    permissions: grant.permissions.intersection(user.permissions),
    // Platform administration is a person's; no key carries it.
    isPlatformAdmin: false,
  };
}

/** The caller that a user is when signed in, or null where the session has ended. The epochs are known to agree. */
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
