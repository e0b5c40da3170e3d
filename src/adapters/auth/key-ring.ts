/**
 * The signing keys at one moment. A new key is published before it signs, and an old one stays until its tokens have
 * expired, so every instance knows the key of every token in use.
 */
import { type CryptoKey, importJWK } from 'jose';
import type { SigningKey } from '#application/ports/auth/stores/signing-key-store.ts';
import { type EpochMs, MINUTE_MS } from '#domain/time.ts';
import { TOKEN_ALGORITHM } from './issue-access-token.ts';

/** As served to verifiers (RFC 7517, RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: typeof TOKEN_ALGORITHM;
}

export interface RingKey {
  readonly kid: string;
  readonly createdAt: EpochMs;
  /** All its tokens have expired by then; infinite for the newest key. */
  readonly retiredAt: EpochMs;
  readonly publicJwk: PublicJwk;
  readonly signing: CryptoKey;
  readonly verification: CryptoKey;
}

/** Newest first, never empty. */
export type KeyRing = readonly [RingKey, ...RingKey[]];

/** How old an instance's view may be. A key removed from the store is accepted no longer than this. */
export const KEY_RING_MAX_AGE_MS = 30_000;

/** Longer than any verifier caches a key set. */
const ACTIVATION_DELAY_MS = 10 * MINUTE_MS;

/** How far the clocks of two instances may differ. */
const CLOCK_SKEW_MS = MINUTE_MS;

/** Throws if a key is not Ed25519. */
export async function importKeyRing(keys: readonly SigningKey[], tokenLifetimeMs: number): Promise<KeyRing> {
  const retentionMs = ACTIVATION_DELAY_MS + KEY_RING_MAX_AGE_MS + tokenLifetimeMs + CLOCK_SKEW_MS;
  const [newest, ...older] = await Promise.all(
    keys.map((key, index) => {
      const successor = keys[index - 1];
      return importKey(
        key,
        successor === undefined ? Number.POSITIVE_INFINITY : successor.createdAt + retentionMs,
      );
    }),
  );
  if (newest === undefined) throw new Error('there is no signing key');
  return [newest, ...older];
}

/** The newest key that every verifier has had time to fetch, or else the one published longest. */
export function chooseSigningKey(ring: KeyRing, now: EpochMs): RingKey {
  const active = ring.find((key) => key.createdAt <= now - ACTIVATION_DELAY_MS);
  return active ?? ring.at(-1) ?? ring[0];
}

/** Keys whose tokens may still be in use, newest first. */
export function liveKeys(ring: KeyRing, now: EpochMs): readonly RingKey[] {
  return ring.filter((key) => now < key.retiredAt);
}

async function importKey({ kid, privateJwk, createdAt }: SigningKey, retiredAt: EpochMs): Promise<RingKey> {
  const { kty, crv, x, d } = privateJwk;
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined || d === undefined) {
    throw new Error(`signing key ${kid} is not a private Ed25519 key`);
  }
  const publicJwk: PublicJwk = { kty, crv, x, kid, use: 'sig', alg: TOKEN_ALGORITHM };
  const [signing, verification] = await Promise.all([
    importJWK({ kty, crv, x, d }, TOKEN_ALGORITHM),
    importJWK({ kty, crv, x }, TOKEN_ALGORITHM),
  ]);
  return { kid, createdAt, retiredAt, publicJwk, signing, verification };
}
