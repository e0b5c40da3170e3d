/** Issues the access tokens that stand for a session (Contract: §2). */
import type { SessionMfa } from '#domain/access/session.ts';
import type { UserId } from '#domain/ids.ts';

export interface AccessTokenRequest {
  readonly userId: UserId;
  readonly sessionId: string;
  readonly authEpoch: number;
  /** `verifiedAt` is rounded down to the second; null or absent where MFA was not verified in this session. */
  readonly mfa?: SessionMfa | null;
}

export interface IssuedAccessToken {
  readonly token: string;
  /** Seconds until it expires, whole. */
  readonly expiresIn: number;
}

/** Rejects where the signing keys cannot be read. */
export type IssueAccessToken = (request: AccessTokenRequest) => Promise<IssuedAccessToken>;
