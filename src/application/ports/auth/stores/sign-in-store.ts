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

export interface RefreshTokenOwner {
  readonly account: SignInAccount;
  readonly sessionId: SessionId;
  /** Null if unused. */
  readonly usedAt: EpochMs | null;
}

/** What signing in reads, across tenants: no caller is known yet. Null for unknown and inactive users. */
export interface SignInStore {
  /** In any case. */
  findByEmail(email: string): Promise<SignInAccount | null>;
  findById(userId: UserId): Promise<SignInAccount | null>;
  /** Finds used tokens, too. */
  findByRefreshToken(tokenSha256: string): Promise<RefreshTokenOwner | null>;
  /**
   * Replaces the hash `from` by another of the same password; no effect if the hash has changed. Sessions and tokens
   * stay valid.
   */
  replacePasswordHash(userId: UserId, from: string, to: string): Promise<void>;
}
