/** Sessions and their refresh tokens, within a transaction of system scope. Tokens are known by their SHA-256. */
import type { Session, SessionMfa } from '#domain/access/session.ts';
import type { SessionId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface RefreshTokenState {
  readonly session: Session;
  readonly isUsed: boolean;
  /** The user's auth epoch now; null where not active any more. */
  readonly userAuthEpoch: number | null;
}

export interface SessionWriter {
  /**
   * Adds a session with its first refresh token, and clears away those of the user that expired before
   * `session.createdAt`, or ended an hour before it. False, and nothing added, where the user is not active any
   * more or their auth epoch has moved on.
   */
  add(session: Session, tokenSha256: string): Promise<boolean>;
  /**
   * The token with its session, held until the transaction ends; `in-use` where another transaction holds it at
   * this moment; null where it is not known.
   */
  findRefreshToken(tokenSha256: string): Promise<RefreshTokenState | 'in-use' | null>;
  /** Marks a token as used and puts another in its place; of the session, `expiresAt` changes. */
  rotate(session: Session, used: string, next: string, at: EpochMs): Promise<void>;
  /** Ends a session that goes on; tokens of it stop working. */
  end(id: SessionId, at: EpochMs): Promise<void>;
  /** Ends the session that a refresh token belongs to, used or not, if there is one. */
  endByRefreshToken(tokenSha256: string, at: EpochMs): Promise<void>;
  /** Records that MFA was verified in the user's session, if there is one of this id. */
  setMfa(userId: UserId, id: SessionId, mfa: SessionMfa): Promise<void>;
}
