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
  /** Changes with the password; see `PasswordWriter`. */
  readonly passwordEpoch: number;
}

export interface RefreshTokenOwner {
  readonly account: SignInAccount;
  readonly sessionId: SessionId;
  readonly usedAt: EpochMs | null;
}

/**
 * Finds accounts for a sign-in in all tenants, because no caller is known yet. Unknown and inactive users give null.
 */
export interface SignInStore {
  /** Ignores case. */
  findByEmail(email: string): Promise<SignInAccount | null>;
  findById(userId: UserId): Promise<SignInAccount | null>;
  /** Also finds used tokens. */
  findByRefreshToken(tokenSha256: string): Promise<RefreshTokenOwner | null>;
  /**
   * Replaces the hash `from` with `to`, a new hash of the same password. No effect if the hash has changed
   * meanwhile. Sessions and tokens stay valid.
   */
  replacePasswordHash(userId: UserId, from: string, to: string): Promise<void>;
}
