import type { SessionMfa } from '#domain/access/session.ts';
import type { UserId } from '#domain/ids.ts';

export interface AccessTokenRequest {
  readonly userId: UserId;
  readonly sessionId: string;
  readonly authEpoch: number;
  /** Null or absent if the session has no MFA. `verifiedAt` is rounded down to the second. */
  readonly mfa?: SessionMfa | null;
}

export interface IssuedAccessToken {
  readonly token: string;
  /** In seconds. */
  readonly expiresIn: number;
}

/** Issues access tokens (Contract: §2). Rejects if the signing keys cannot be read. */
export type IssueAccessToken = (request: AccessTokenRequest) => Promise<IssuedAccessToken>;
