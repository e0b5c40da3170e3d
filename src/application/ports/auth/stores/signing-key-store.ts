import type { EpochMs } from '#domain/time.ts';

export interface SigningKey {
  /** Unique. Tokens name it in their header. */
  readonly kid: string;
  /** An Ed25519 key as JWK. */
  readonly privateJwk: Readonly<Record<string, string>>;
  readonly createdAt: EpochMs;
}

/** The keys that sign access tokens, shared by all instances and tenants. */
export interface SigningKeyStore {
  /** Every key that may have signed a still valid token, newest first. */
  list(): Promise<readonly SigningKey[]>;
  /**
   * False, without any change, if a key was created at or after `unlessSince`. Atomic, so only one instance rotates.
   */
  add(key: SigningKey, unlessSince: EpochMs): Promise<boolean>;
  /** Call it only for keys whose tokens have all expired. */
  removeCreatedBefore(instant: EpochMs): Promise<void>;
}
