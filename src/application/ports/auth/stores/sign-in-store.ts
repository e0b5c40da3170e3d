/** The part of users that signing in needs, across all tenants: no caller is known yet. */
import type { Principal } from '#domain/access/principal.ts';
import type { SessionId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** An active user. */
export interface SignInAccount {
  readonly principal: Principal;
  readonly email: string;
  readonly name: string;
  /** An argon2id hash in PHC format; null if the user has no password. */
  readonly passwordHash: string | null;
  /** See `PasswordWriter`. */
  readonly passwordEpoch: number;
}

/** Whose a refresh token is. */
export interface RefreshTokenOwner {
  readonly account: SignInAccount;
  readonly sessionId: SessionId;
  /** When it was used; null if it was not. */
  readonly usedAt: EpochMs | null;
}

/** Every lookup gives null for a user who does not exist or is not active. */
export interface SignInStore {
  /** By email, in any case. */
  findByEmail(email: string): Promise<SignInAccount | null>;
  /** By id. */
  findById(userId: UserId): Promise<SignInAccount | null>;
  /** By the SHA-256 of a refresh token, used or not, of one of the user's sessions. */
  findByRefreshToken(tokenSha256: string): Promise<RefreshTokenOwner | null>;
  /**
   * Replaces the hash `from` with another one of the same password; no effect if the hash has changed since it was
   * read. Sessions and tokens stay valid.
   */
  replacePasswordHash(userId: UserId, from: string, to: string): Promise<void>;
}
