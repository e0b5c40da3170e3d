import type { EpochMs } from '#domain/time.ts';

/** One key pair. */
export interface SigningKey {
  /** Unique; in the token's header. */
  readonly kid: string;
  /** A private Ed25519 key as JWK. */
  readonly privateJwk: Readonly<Record<string, string>>;
  readonly createdAt: EpochMs;
}

/** Keys that sign access tokens, shared by all instances and tenants. */
export interface SigningKeyStore {
  /** All keys that valid tokens may carry, newest first. */
  list(): Promise<readonly SigningKey[]>;
  /**
   * Adds a key unless one was created at or after `unlessSince`; returns false then. Atomic, so only one instance
   * rotates.
   */
  add(key: SigningKey, unlessSince: EpochMs): Promise<boolean>;
  /** Removes keys whose tokens have all expired. */
  removeCreatedBefore(instant: EpochMs): Promise<void>;
}
