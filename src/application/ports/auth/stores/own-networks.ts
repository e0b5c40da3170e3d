import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** Emails match ignoring case. */
export type NamedUser = { readonly email: string } | { readonly userId: UserId };

/**
 * Whether an active user has signed in from the network since `since` (Contract: §2). Unknown users give false after
 * the same time, so timing reveals no account.
 */
export type HasSignedInFrom = (user: NamedUser, network: string, since: EpochMs) => Promise<boolean>;

/** Works within a transaction of system scope. */
export interface OwnNetworkWriter {
  /** Notes that the network was used at `at`, and forgets networks last used before `forget`. */
  remember(userId: UserId, network: string, at: EpochMs, forget: EpochMs): Promise<void>;
}
