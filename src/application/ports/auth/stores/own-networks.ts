import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** Emails match ignoring case. */
export type NamedUser = { readonly email: string } | { readonly userId: UserId };

/**
 * Whether an active user has signed in from the network since `since` (Contract: §2). False after the same time for
 * unknown users, so it reveals no account.
 */
export type HasSignedInFrom = (user: NamedUser, network: string, since: EpochMs) => Promise<boolean>;

/** Within a transaction of system scope. */
export interface OwnNetworkWriter {
  /** Also forgets networks that were last used before `forget`. */
  remember(userId: UserId, network: string, at: EpochMs, forget: EpochMs): Promise<void>;
}
