/** Issues the access tokens of a session (Contract: §2). */
import type { SessionMfa } from '#domain/access/session.ts';
import type { UserId } from '#domain/ids.ts';

/** What the token says. */
export interface AccessTokenRequest {
  readonly userId: UserId;
  readonly sessionId: string;
  readonly authEpoch: number;
  /** `verifiedAt` is rounded down to the second; null or absent if MFA was not verified in this session. */
  readonly mfa?: SessionMfa | null;
}

/** A new token. */
export interface IssuedAccessToken {
  readonly token: string;
  /** Whole seconds until it expires. */
  readonly expiresIn: number;
}

/** Rejects if the signing keys cannot be read. */
export type IssueAccessToken = (request: AccessTokenRequest) => Promise<IssuedAccessToken>;
