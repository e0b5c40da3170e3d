import type { UserId } from '#domain/ids.ts';

/** Changes passwords, within a transaction of system scope. */
export interface PasswordWriter {
  /**
   * Increases with every password change, which voids checks of earlier ones. Null if the user is not active. Locks
   * the user until the transaction ends.
   */
  holdEpoch(userId: UserId): Promise<number | null>;
  /** Changes an active user's password; `passwordHash` is as in `SignInAccount`. Sessions and tokens stay valid. */
  change(userId: UserId, passwordHash: string): Promise<void>;
}
