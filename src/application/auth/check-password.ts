/** Checks a password against the stored hash, and upgrades hashes with outdated parameters. */
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { PasswordVerifier } from '#application/ports/auth/password-verifier.ts';
import type { SignInAccount, SignInStore } from '#application/ports/auth/sign-in-store.ts';
import type { UserId } from '#domain/ids.ts';

/** Whether this is the account's password. Null, for an unknown user, is false and takes as long. */
export type CheckAccountPassword = (account: SignInAccount | null, password: string) => Promise<boolean>;

/** Whether this is the password of the user; false if the user is not active. */
export type CheckPassword = (userId: UserId, password: string) => Promise<boolean>;

export interface CheckPasswordDeps {
  readonly signIns: SignInStore;
  readonly verifyPassword: PasswordVerifier;
  readonly hashPassword: PasswordHasher;
}

export function makeCheckAccountPassword(deps: CheckPasswordDeps): CheckAccountPassword {
  return async (account, password) => {
    const storedHash = account?.passwordHash ?? null;
    const { matches, isOutdated } = await deps.verifyPassword(storedHash, password);
    if (!matches || account === null || storedHash === null) return false;
    if (isOutdated) {
      const renewed = await deps.hashPassword(password);
      await deps.signIns.replacePasswordHash(account.principal.userId, storedHash, renewed);
    }
    return true;
  };
}

export function makeCheckPassword(deps: CheckPasswordDeps): CheckPassword {
  const check = makeCheckAccountPassword(deps);
  return async (userId, password) => check(await deps.signIns.findById(userId), password);
}
