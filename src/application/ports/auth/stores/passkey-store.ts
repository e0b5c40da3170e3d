import type { Passkey } from '#domain/access/passkey.ts';
import type { PasskeyId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface PasskeyReader {
  /** The passkeys of an active user, oldest first. */
  list(userId: UserId): Promise<readonly Passkey[]>;
  /**
   * Searches all tenants, because no caller is known yet. Null if the credential is unknown or its user is not active.
   */
  find(credentialId: string): Promise<Passkey | null>;
}

export interface PasskeyUse {
  readonly counter: number;
  readonly isBackedUp: boolean;
  readonly at: EpochMs;
}

/** Works within a transaction of system scope. */
export interface PasskeyWriter {
  /** The passkeys of an active user, oldest first. Locks the user until the transaction ends. */
  hold(userId: UserId): Promise<readonly Passkey[]>;
  /** Throws unless the user is active. False, without any change, if the credential is already known. */
  add(passkey: Passkey): Promise<boolean>;
  /** False, without any change, if the passkey is gone or the counter is not fresh (`isCounterFresh`). */
  use(id: PasskeyId, use: PasskeyUse): Promise<boolean>;
  /**
   * Null if the user is inactive or does not have this passkey. Removing the last factor also removes
   * recovery codes and voids earlier verifications.
   */
  remove(userId: UserId, id: PasskeyId): Promise<Pick<Passkey, 'name'> | null>;
}
