/**
 * Keys that sign access tokens (Contract: §2). A new key is published before it signs, and an old one stays until its
 * tokens have expired, so every instance can verify every token.
 */
import { type CryptoKey, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { SigningKey, SigningKeyStore } from '#application/ports/auth/stores/signing-key-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { DAY_MS, type EpochMs, MINUTE_MS } from '#domain/time.ts';
import { TOKEN_ALGORITHM } from './issue-access-token.ts';
import { type MonotonicClock, makeSingleFlightCache, readMonotonicMs } from './single-flight-cache.ts';

/** A public key as a JWK (RFC 7517, RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: typeof TOKEN_ALGORITHM;
}

interface RingKey {
  readonly kid: string;
  readonly createdAt: EpochMs;
  /** All tokens of the key have expired by then. Infinite for the newest key. */
  readonly retiredAt: EpochMs;
  readonly publicJwk: PublicJwk;
  readonly signing: CryptoKey;
  readonly verification: CryptoKey;
}

/** Newest first. */
type KeyRing = readonly [RingKey, ...RingKey[]];

/** Each method creates the first key if there is none. */
export interface TokenKeys {
  readonly tokenLifetimeMs: number;
  /** For `/.well-known/jwks.json`. Newest first, including keys that do not sign yet. */
  publicKeys(): Promise<{ readonly keys: readonly PublicJwk[] }>;
  /** Null if no valid token can name this key. */
  verificationKey(kid: string): Promise<CryptoKey | null>;
  /** Also rotates and deletes keys when due. */
  signingKey(): Promise<{ readonly kid: string; readonly key: CryptoKey }>;
}

export interface TokenKeysDeps {
  readonly store: SigningKeyStore;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  /** Default: 30 days. */
  readonly rotateAfterMs?: number;
  /** Default: 15 minutes. */
  readonly tokenLifetimeMs?: number;
  readonly monotonicMs?: MonotonicClock;
}

const DEFAULT_ROTATE_AFTER_MS = 30 * DAY_MS;
const DEFAULT_TOKEN_LIFETIME_MS = 15 * MINUTE_MS;

/** Unknown key ids cause at most one read in this time. */
const UNKNOWN_KEY_REFRESH_MS = 1_000;

/** Instances share the keys in the store. The first to see that a new one is due creates it. */
export function makeTokenKeys({
  store,
  clock,
  newId,
  rotateAfterMs = DEFAULT_ROTATE_AFTER_MS,
  tokenLifetimeMs = DEFAULT_TOKEN_LIFETIME_MS,
  monotonicMs = readMonotonicMs,
}: TokenKeysDeps): TokenKeys {
  const rings = makeSingleFlightCache<'ring', KeyRing>({
    read: readRing,
    monotonicMs,
    maxFound: 1,
    maxAbsent: 1,
  });
  let upkeep: Promise<KeyRing> | null = null;

  return {
    tokenLifetimeMs,

    async publicKeys() {
      const ring = await ringOfAge(KEY_RING_MAX_AGE_MS);
      return { keys: liveKeys(ring, clock()).map((key) => key.publicJwk) };
    },

    async verificationKey(kid) {
      return (
        findKey(await ringOfAge(KEY_RING_MAX_AGE_MS), kid) ??
        findKey(await ringOfAge(UNKNOWN_KEY_REFRESH_MS), kid)
      );
    },

    async signingKey() {
      const ring = await ringOfAge(KEY_RING_MAX_AGE_MS);
      const { kid, signing } = chooseSigningKey(needsUpkeep(ring) ? await keepUp(ring) : ring, clock());
      return { kid, key: signing };
    },
  };

  function ringOfAge(maxAgeMs: number): Promise<KeyRing> {
    return rings('ring', monotonicMs() - maxAgeMs);
  }

  async function readRing(): Promise<KeyRing> {
    const keys = await store.list();
    if (keys.length > 0) return importKeyRing(keys, tokenLifetimeMs);
    await store.add(await makeKey(), 0);
    return importKeyRing(await store.list(), tokenLifetimeMs);
  }

  function findKey(ring: KeyRing, kid: string): CryptoKey | null {
    return liveKeys(ring, clock()).find((key) => key.kid === kid)?.verification ?? null;
  }

  function isDue([newest]: KeyRing): boolean {
    return newest.createdAt + rotateAfterMs <= clock();
  }

  function needsUpkeep(ring: KeyRing): boolean {
    return isDue(ring) || liveKeys(ring, clock()).length < ring.length;
  }

  function keepUp(ring: KeyRing): Promise<KeyRing> {
    upkeep ??= rotateAndClear(ring).finally(() => {
      upkeep = null;
    });
    return upkeep;
  }

  async function rotateAndClear(ring: KeyRing): Promise<KeyRing> {
    // The store refuses the key if another instance has added one meanwhile.
    if (isDue(ring)) await store.add(await makeKey(), ring[0].createdAt + 1);
    const oldestLive = liveKeys(ring, clock()).at(-1);
    if (oldestLive !== undefined) await store.removeCreatedBefore(oldestLive.createdAt);
    return ringOfAge(0);
  }

  async function makeKey(): Promise<SigningKey> {
    const { privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true });
    const { kty, crv, x, d } = await exportJWK(privateKey);
    if (x === undefined || d === undefined || kty === undefined || crv === undefined) {
      throw new Error('a new key could not be exported');
    }
    return { kid: newId(), privateJwk: { kty, crv, x, d }, createdAt: clock() };
  }
}

/** A key may be accepted this long after its removal from the store. */
const KEY_RING_MAX_AGE_MS = 30_000;

/** A new key waits this long before it signs: longer than any verifier caches a key set. */
const ACTIVATION_DELAY_MS = 10 * MINUTE_MS;

const CLOCK_SKEW_MS = MINUTE_MS;

async function importKeyRing(keys: readonly SigningKey[], tokenLifetimeMs: number): Promise<KeyRing> {
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

/** The newest key that every verifier has had time to fetch, else the oldest key. */
function chooseSigningKey(ring: KeyRing, now: EpochMs): RingKey {
  const active = ring.find((key) => key.createdAt <= now - ACTIVATION_DELAY_MS);
  return active ?? ring.at(-1) ?? ring[0];
}

function liveKeys(ring: KeyRing, now: EpochMs): readonly RingKey[] {
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
