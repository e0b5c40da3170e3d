/** Users as far as signing in goes, looked up before any tenant is known. All of them are active. */
import type { Principal } from '#domain/access/principal.ts';
import type { UserId } from '#domain/ids.ts';

export interface SignInAccount {
  readonly principal: Principal;
  readonly email: string;
  readonly name: string;
  /** An argon2id hash in PHC format; null where there is no password. */
  readonly passwordHash: string | null;
}

export interface SignInStore {
  /** By email, in any case. */
  findByEmail(email: string): Promise<SignInAccount | null>;
  findById(userId: UserId): Promise<SignInAccount | null>;
  /** Whose session a refresh token belongs to, used or not, by its SHA-256. */
  findByRefreshToken(tokenSha256: string): Promise<SignInAccount | null>;
  /**
   * Puts another hash of the same password in the place of `from`; nothing happens where it has been changed
   * since. Tokens that are out go on working.
   */
  replacePasswordHash(userId: UserId, from: string, to: string): Promise<void>;
}
