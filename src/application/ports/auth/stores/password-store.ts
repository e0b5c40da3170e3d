import type { UserId } from '#domain/ids.ts';

/** Works within a transaction of system scope. */
export interface PasswordWriter {
  /**
   * The password epoch, which every change increments to void earlier checks. Locks the user until the transaction
   * ends. Null if the user is not active.
   */
  holdEpoch(userId: UserId): Promise<number | null>;
  /** Throws unless the user is active. Sessions and tokens stay valid. `passwordHash` is as in `SignInAccount`. */
  change(userId: UserId, passwordHash: string): Promise<void>;
}
