import type { Passkey } from '#domain/access/passkey.ts';
import type { PasskeyId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface PasskeyReader {
  /** An active user's passkeys, oldest first. */
  list(userId: UserId): Promise<readonly Passkey[]>;
  /** An active user's passkey, across tenants: no caller is known yet. Null if the credential is unknown. */
  find(credentialId: string): Promise<Passkey | null>;
}

/** What a verified use tells of a passkey. */
export interface PasskeyUse {
  readonly counter: number;
  readonly isBackedUp: boolean;
  readonly at: EpochMs;
}

/** Changes passkeys within a transaction of system scope. */
export interface PasskeyWriter {
  /** An active user's passkeys, oldest first. Locks the user until the transaction ends. */
  hold(userId: UserId): Promise<readonly Passkey[]>;
  /** Adds an active user's passkey. False, without any change, if the credential is known. */
  add(passkey: Passkey): Promise<boolean>;
  /** Records a use. False, without any change, if the passkey is gone or the counter is not fresh (`isCounterFresh`). */
  use(id: PasskeyId, use: PasskeyUse): Promise<boolean>;
  /**
   * Removes an active user's passkey; null if there is none. If it was the last factor, recovery codes go with it and
   * earlier verifications are void.
   */
  remove(userId: UserId, id: PasskeyId): Promise<Pick<Passkey, 'name'> | null>;
}
