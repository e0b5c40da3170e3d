import type { Principal } from '#domain/access/principal.ts';
import type { SessionId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** An active user. */
export interface SignInAccount {
  readonly principal: Principal;
  readonly email: string;
  readonly name: string;
  /** Argon2id in PHC format; null if the user has no password. */
  readonly passwordHash: string | null;
  /** See `PasswordWriter`. */
  readonly passwordEpoch: number;
}

/** The user and session of a refresh token. */
export interface RefreshTokenOwner {
  readonly account: SignInAccount;
  readonly sessionId: SessionId;
  /** Null if unused. */
  readonly usedAt: EpochMs | null;
}

/** What signing in reads of users, across tenants: no caller is known yet. Unknown and inactive users give null. */
export interface SignInStore {
  /** In any case. */
  findByEmail(email: string): Promise<SignInAccount | null>;
  findById(userId: UserId): Promise<SignInAccount | null>;
  /** Used tokens are found as well. */
  findByRefreshToken(tokenSha256: string): Promise<RefreshTokenOwner | null>;
  /**
   * Replaces hash `from` with a new hash of the same password; no effect if it has changed meanwhile. Sessions and
   * tokens stay valid.
   */
  replacePasswordHash(userId: UserId, from: string, to: string): Promise<void>;
}
