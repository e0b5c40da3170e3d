/** The networks that people sign in from, so that strangers elsewhere cannot lock them out (Contract: §2). */
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** Somebody by their email, in any case, or by their id. */
export type NamedUser = { readonly email: string } | { readonly userId: UserId };

/**
 * Whether an active user has signed in from the network at `since` or later. False for a user who does not exist,
 * found in the same way and time, so that it does not reveal who has an account.
 */
export type HasSignedInFrom = (user: NamedUser, network: string, since: EpochMs) => Promise<boolean>;

/** Used within a transaction of system scope. */
export interface OwnNetworkWriter {
  /** Records that the user has signed in from the network, and forgets those that they last used before `forget`. */
  remember(userId: UserId, network: string, at: EpochMs, forget: EpochMs): Promise<void>;
}
