import type { UserId } from '#domain/ids.ts';

/** Within a transaction of system scope. */
export interface PasswordWriter {
  /**
   * Increases with every password change, which voids earlier checks. Null if the user is not active. Locks the user
   * until the transaction ends.
   */
  holdEpoch(userId: UserId): Promise<number | null>;
  /** For active users; `passwordHash` is as in `SignInAccount`. Sessions and tokens stay valid. */
  change(userId: UserId, passwordHash: string): Promise<void>;
}
