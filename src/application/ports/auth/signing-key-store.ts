/** The keys that access tokens are signed with, shared by every instance of the service. */
import type { EpochMs } from '#domain/time.ts';

export interface SigningKey {
  /** Names the key in a token's header. */
  readonly kid: string;
  /** A private Ed25519 key as JWK. */
  readonly privateJwk: Readonly<Record<string, string>>;
  readonly createdAt: EpochMs;
}

export interface SigningKeyStore {
  /** Every key whose tokens may still be out, newest first. */
  list(): Promise<readonly SigningKey[]>;
  /** Adds a key unless one was added at or after `unlessSince`, so that two instances do not rotate at once. */
  add(key: SigningKey, unlessSince: EpochMs): Promise<boolean>;
  /** Removes the keys created before, whose tokens have all expired. */
  removeCreatedBefore(instant: EpochMs): Promise<void>;
}
