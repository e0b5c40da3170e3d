/** Whether users may come in; used within a transaction of system scope. */
import type { UserId } from '#domain/ids.ts';

/** Lets users in, or keeps them out; used within a transaction of system scope. */
export interface UserStatusWriter {
  /** An active user is disabled: their tokens, sessions and keys stop working. False, without any change, for others. */
  disable(userId: UserId): Promise<boolean>;
  /** A disabled user is active again, `email-taken` if somebody else has their email by now. False for others. */
  enable(userId: UserId): Promise<boolean | 'email-taken'>;
}
