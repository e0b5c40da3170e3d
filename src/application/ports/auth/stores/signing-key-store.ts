/** The keys that sign access tokens, shared by all instances of the service. */
import type { EpochMs } from '#domain/time.ts';

/** One key pair. */
export interface SigningKey {
  /** Identifies the key in the header of a token; unique. */
  readonly kid: string;
  /** A private Ed25519 key as JWK. */
  readonly privateJwk: Readonly<Record<string, string>>;
  readonly createdAt: EpochMs;
}

/** Not limited to any tenant. */
export interface SigningKeyStore {
  /** Every key that tokens in circulation may be signed with, newest first. */
  list(): Promise<readonly SigningKey[]>;
  /**
   * Adds a key unless one was created at or after `unlessSince`; false if so. Atomic, so that of several instances
   * only one rotates.
   */
  add(key: SigningKey, unlessSince: EpochMs): Promise<boolean>;
  /** Removes the keys created before the instant; their tokens have all expired. */
  removeCreatedBefore(instant: EpochMs): Promise<void>;
}
