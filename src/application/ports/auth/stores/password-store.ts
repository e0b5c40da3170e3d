/** Passwords of users; used within a transaction of system scope. */
import type { UserId } from '#domain/ids.ts';

/** Changes passwords; used within a transaction of system scope. */
export interface PasswordWriter {
  /**
   * Grows with every change of the user's password, so that a check of an earlier one is void; null if the user is not
   * active. Locks the user until the transaction ends.
   */
  holdEpoch(userId: UserId): Promise<number | null>;
  /** Changes the password of an active user; `passwordHash` is as in `SignInAccount`. Sessions and tokens stay valid. */
  change(userId: UserId, passwordHash: string): Promise<void>;
}
