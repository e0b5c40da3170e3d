import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** Emails match in any case. */
export type NamedUser = { readonly email: string } | { readonly userId: UserId };

/**
 * True if an active user has signed in from the network since `since` (Contract: §2). Unknown users take the same
 * time and give false, so accounts are not revealed.
 */
export type HasSignedInFrom = (user: NamedUser, network: string, since: EpochMs) => Promise<boolean>;

/** Within a transaction of system scope. */
export interface OwnNetworkWriter {
  /** Also forgets networks last used before `forget`. */
  remember(userId: UserId, network: string, at: EpochMs, forget: EpochMs): Promise<void>;
}
