/** Sessions and their refresh tokens, changed within a transaction of system scope. Tokens are known by their SHA-256. */
import type { Session, SessionMfa } from '#domain/access/session.ts';
import type { SessionId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** Sessions as their user sees them. */
export interface SessionReader {
  /**
   * The user's sessions that have neither ended nor expired by `at`, and were not voided by a later auth epoch; the
   * last used first, at most `limit`. None for a user who is not active.
   */
  listLive(userId: UserId, at: EpochMs, limit: number): Promise<readonly Session[]>;
}

/** What is known of a refresh token. */
export interface RefreshTokenState {
  readonly session: Session;
  /** When it was used, and replaced with that; null if it was not. */
  readonly usedAt: EpochMs | null;
  /** From which the token that replaced it follows; null if none does, or not any more. */
  readonly salt: string | null;
  /** The user's current auth epoch; null if they are no longer active. */
  readonly userAuthEpoch: number | null;
}

/** How one refresh token replaces another. */
export interface Rotation {
  /** SHA-256 of the token that is used with this. */
  readonly used: string;
  /** SHA-256 of the next one. */
  readonly next: string;
  /** To be kept with the used one, if the next one follows from it and this. */
  readonly salt?: string;
}

/** Changes to sessions. */
export interface SessionWriter {
  /**
   * Adds a session with its first refresh token. Removes those of the user's sessions that can be forgotten by
   * `session.createdAt` (`canForgetSession`), and a few of other users'. False, without any change, if the user
   * is no longer active or their auth epoch has changed.
   */
  add(session: Session, tokenSha256: string): Promise<boolean>;
  /**
   * The token with its session, locked until the transaction ends; `in-use` if another transaction holds the lock;
   * null if the token is unknown.
   */
  findRefreshToken(tokenSha256: string): Promise<RefreshTokenState | 'in-use' | null>;
  /** The same, but waits for the transaction that holds the lock. */
  holdRefreshToken(tokenSha256: string): Promise<RefreshTokenState | null>;
  /**
   * Marks a token as used, adds the next one, and stores when and from where the session was used and when it expires;
   * its other members stay. Removes the session's tokens that were used so long ago that they would have expired by
   * `at` (`REFRESH_TOKEN_LIFETIME_MS`), and the salts of those that are not taken again (`REUSE_MS`).
   */
  rotate(session: Session, rotation: Rotation, at: EpochMs): Promise<void>;
  /**
   * Ends a session; its tokens stop working. Gives its user; null, without any change, if the id is unknown or the
   * session has already ended.
   */
  end(id: SessionId, at: EpochMs): Promise<UserId | null>;
  /** The same for the session of a refresh token, used or not. */
  endByRefreshToken(tokenSha256: string, at: EpochMs): Promise<UserId | null>;
  /** Ends every session of the user but this one, and says how many. Those that have ended keep their time. */
  endOthers(userId: UserId, kept: SessionId | null, at: EpochMs): Promise<number>;
  /**
   * Whether the user has this session, and it has neither ended nor expired by `at`. If so, it is locked until the
   * transaction ends.
   */
  holdLive(userId: UserId, id: SessionId, at: EpochMs): Promise<boolean>;
  /** Records that MFA was verified in this session; no effect if the user has no session of this id. */
  setMfa(userId: UserId, id: SessionId, mfa: SessionMfa): Promise<void>;
}
