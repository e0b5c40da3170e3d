/** Sessions and refresh tokens, within a transaction of system scope. Tokens are given by their SHA-256. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Session, SessionMfa } from '#domain/access/session.ts';
import type { SessionId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface SessionReader {
  /**
   * The user's live sessions at `at`, last used first, at most `limit`. Left out are sessions of an earlier auth
   * epoch, of inactive users and of users out of reach. The default scope is the system.
   */
  listLive(userId: UserId, at: EpochMs, limit: number, scope?: AccessScope): Promise<readonly Session[]>;
  /** Null if the user has no such session. */
  findProvenAt(userId: UserId, id: SessionId): Promise<EpochMs | null>;
}

export interface RefreshTokenState {
  readonly session: Session;
  /** Null if unused. */
  readonly usedAt: EpochMs | null;
  /** Derives the token that replaced this one; null if none does, or no longer. */
  readonly salt: string | null;
  /** Null if the user is not active. */
  readonly userAuthEpoch: number | null;
}

export interface Rotation {
  /** SHA-256 of the used token. */
  readonly used: string;
  /** SHA-256 of the next token. */
  readonly next: string;
  /** Kept with the used token if the next one derives from both. */
  readonly salt?: string;
}

/** Within a transaction of system scope. */
export interface SessionWriter {
  /**
   * Adds a session with its first refresh token, and removes forgettable sessions (`canForgetSession`) of the user
   * and a few of others. False, without any change, if the user is not active or the auth epoch has changed.
   */
  add(session: Session, tokenSha256: string): Promise<boolean>;
  /**
   * Locked with its session until the transaction ends; `in-use` if another transaction holds the lock; null if
   * unknown.
   */
  findRefreshToken(tokenSha256: string): Promise<RefreshTokenState | 'in-use' | null>;
  /** Waits for the lock. */
  holdRefreshToken(tokenSha256: string): Promise<RefreshTokenState | null>;
  /**
   * Marks a token as used, adds the next one, and updates the session's last use and expiry. Also removes used tokens
   * that have expired by `at` (`REFRESH_TOKEN_LIFETIME_MS`), and salts past reuse (`REUSE_MS`).
   */
  rotate(session: Session, rotation: Rotation, at: EpochMs): Promise<void>;
  /** Returns the session's user; null, without any change, if it is unknown or already ended. */
  end(id: SessionId, at: EpochMs): Promise<UserId | null>;
  /** Like `end`; the token may be used or not. */
  endByRefreshToken(tokenSha256: string, at: EpochMs): Promise<UserId | null>;
  /** Returns how many ended now. Sessions that had ended keep their time. */
  endOthers(userId: UserId, kept: SessionId | null, at: EpochMs): Promise<number>;
  /** True if the session is live at `at`; then locks it until the transaction ends. */
  holdLive(userId: UserId, id: SessionId, at: EpochMs): Promise<boolean>;
  /** No effect if the user has no such session. `provenAt` replaces the session's own if given. */
  setMfa(userId: UserId, id: SessionId, mfa: SessionMfa, provenAt?: EpochMs): Promise<void>;
}
