import type { UserId } from '#domain/ids.ts';

/** Within a transaction of system scope. */
export interface PasswordWriter {
  /**
   * The password epoch; every change increments it, which voids earlier checks. Locks the user until the transaction
   * ends; null if not active.
   */
  holdEpoch(userId: UserId): Promise<number | null>;
  /** Throws unless the user is active. Sessions and tokens stay valid. `passwordHash` is as in `SignInAccount`. */
  change(userId: UserId, passwordHash: string): Promise<void>;
}
