/** Checks a password against the stored hash, and renews a hash that is weaker than hashes are now. */
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { PasswordVerifier } from '#application/ports/auth/password-verifier.ts';
import type { SignInAccount, SignInStore } from '#application/ports/auth/sign-in-store.ts';
import type { UserId } from '#domain/ids.ts';

/** Whether it is the account's password; null, for nobody, takes as long and is false. */
export type CheckAccountPassword = (account: SignInAccount | null, password: string) => Promise<boolean>;

/** Whether it is the password of the user, who must be active. */
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
