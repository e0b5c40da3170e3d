import type { UserId } from '#domain/ids.ts';

/** Disables and enables users, within a transaction of system scope. */
export interface UserStatusWriter {
  /** Disables an active user; tokens, sessions and keys stop working. False, without any change, for others. */
  disable(userId: UserId): Promise<boolean>;
  /** Enables a disabled user; `email-taken` if an active user has the email now. False for others. */
  enable(userId: UserId): Promise<boolean | 'email-taken'>;
}
