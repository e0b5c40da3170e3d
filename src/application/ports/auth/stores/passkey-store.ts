import type { Passkey } from '#domain/access/passkey.ts';
import type { PasskeyId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface PasskeyReader {
  /** An active user's passkeys, oldest first. */
  list(userId: UserId): Promise<readonly Passkey[]>;
  /** Across tenants: no caller is known yet. Null if the credential is unknown or its user not active. */
  find(credentialId: string): Promise<Passkey | null>;
}

export interface PasskeyUse {
  readonly counter: number;
  readonly isBackedUp: boolean;
  readonly at: EpochMs;
}

/** Within a transaction of system scope. */
export interface PasskeyWriter {
  /** An active user's passkeys, oldest first. Locks the user until the transaction ends. */
  hold(userId: UserId): Promise<readonly Passkey[]>;
  /** For active users. False, without any change, if the credential is known. */
  add(passkey: Passkey): Promise<boolean>;
  /** False, without any change, if the passkey is gone or the counter is not fresh (`isCounterFresh`). */
  use(id: PasskeyId, use: PasskeyUse): Promise<boolean>;
  /**
   * Null if an active user has no such passkey. With the last factor, recovery codes go and earlier verifications
   * become void.
   */
  remove(userId: UserId, id: PasskeyId): Promise<Pick<Passkey, 'name'> | null>;
}
