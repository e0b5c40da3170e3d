/** Checks a password against the stored hash, and upgrades hashes with outdated parameters. */
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { PasswordClaimant, PasswordVerifier } from '#application/ports/auth/password-verifier.ts';
import type { SignInAccount, SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { UserId } from '#domain/ids.ts';

/**
 * Whether this is the account's password. Null, for an unknown user, is false and takes as long. Rejects with a
 * `PasswordQueueFullError` if too many checks of the claimant are waiting already.
 */
export type CheckAccountPassword = (
  account: SignInAccount | null,
  password: string,
  claimant: PasswordClaimant,
) => Promise<boolean>;

/** Whether this is the password of the user; false if they are not active. */
export type CheckPassword = (userId: UserId, password: string) => Promise<boolean>;

export interface CheckPasswordDeps {
  readonly signIns: SignInStore;
  readonly verifyPassword: PasswordVerifier;
  readonly hashPassword: PasswordHasher;
}

export function makeCheckAccountPassword(deps: CheckPasswordDeps): CheckAccountPassword {
  return async (account, password, claimant) => {
    const storedHash = account?.passwordHash ?? null;
    const { matches, isOutdated } = await deps.verifyPassword(storedHash, password, claimant);
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
  return async (userId, password) =>
    check(await deps.signIns.findById(userId), password, passwordClaimantOf(userId));
}

/** Somebody who is signed in waits for nobody but themselves; limits keep them from sending many. */
export function passwordClaimantOf(userId: UserId): PasswordClaimant {
  return { site: `user ${userId}`, client: userId };
}
