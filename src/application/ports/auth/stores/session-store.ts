/** Sessions and refresh tokens. Tokens are passed and stored as SHA-256. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Session, SessionMfa } from '#domain/access/session.ts';
import type { SessionId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface SessionReader {
  /**
   * The user's sessions that are live at `at`, last used first, at most `limit`. Leaves out sessions of an earlier auth
   * epoch. Empty if the user is inactive or out of reach. The default scope is the system.
   */
  listLive(userId: UserId, at: EpochMs, limit: number, scope?: AccessScope): Promise<readonly Session[]>;
  /** `Session.provenAt`; also null if the user does not have this session. */
  findProvenAt(userId: UserId, id: SessionId): Promise<EpochMs | null>;
}

export interface RefreshTokenState {
  readonly session: Session;
  readonly usedAt: EpochMs | null;
  /**
   * The salt that derived the next token from this one (`nextCookieToken`). Null if there is no next token,
   * if the next token is random, or if this token can no longer be reused.
   */
  readonly salt: string | null;
  /** Null if the user is not active. */
  readonly userAuthEpoch: number | null;
}

export interface Rotation {
  readonly used: string;
  readonly next: string;
  /** Given if `next` was derived from `used` and this salt. It is stored with `used`. */
  readonly salt?: string;
}

/** Works within a transaction of system scope. */
export interface SessionWriter {
  /**
   * Adds a session with its first refresh token. Also removes forgettable sessions (`canForgetSession`) of the user,
   * and a few of other users. False, without any change, if the user is not active or the auth epoch has changed.
   */
  add(session: Session, tokenSha256: string): Promise<boolean>;
  /**
   * Locks the token and its session until the transaction ends. `in-use` if another transaction holds the lock; null if
   * unknown.
   */
  findRefreshToken(tokenSha256: string): Promise<RefreshTokenState | 'in-use' | null>;
  /** As `findRefreshToken`, but waits for the lock. */
  holdRefreshToken(tokenSha256: string): Promise<RefreshTokenState | null>;
  /**
   * Marks a token as used, adds the next one, and updates the session's last use and expiry. Also removes
   * used tokens that have expired by `at` (`REFRESH_TOKEN_LIFETIME_MS`), and salts of tokens that can no
   * longer be reused (`REUSE_MS`).
   */
  rotate(session: Session, rotation: Rotation, at: EpochMs): Promise<void>;
  /** Returns the session's user. Null, without any change, if the session is unknown or already ended. */
  end(id: SessionId, at: EpochMs): Promise<UserId | null>;
  /** Ends the session of this token, used or not, as `end` does. */
  endByRefreshToken(tokenSha256: string, at: EpochMs): Promise<UserId | null>;
  /** Ends the user's sessions except `kept`, and returns their number. Sessions that had ended keep their `endedAt`. */
  endOthers(userId: UserId, kept: SessionId | null, at: EpochMs): Promise<number>;
  /** Whether the session is live at `at`. If so, it is locked until the transaction ends. */
  holdLive(userId: UserId, id: SessionId, at: EpochMs): Promise<boolean>;
  /** No effect if the user has no such session. `provenAt`, if given, replaces the session's. */
  setMfa(userId: UserId, id: SessionId, mfa: SessionMfa, provenAt?: EpochMs): Promise<void>;
}
