import type { UserId } from '#domain/ids.ts';

/** Works within a transaction of system scope. */
export interface PasswordWriter {
  /**
   * Returns the password epoch and locks the user until the transaction ends; null if the user is not active. Every
   * password change increments the epoch, which voids earlier checks.
   */
  holdEpoch(userId: UserId): Promise<number | null>;
  /** Throws unless the user is active. Sessions and tokens stay valid. `passwordHash` is as in `SignInAccount`. */
  change(userId: UserId, passwordHash: string): Promise<void>;
}
