/** Keys that sign access tokens, created and rotated as needed (Contract: §2). */
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import type { SigningKey, SigningKeyStore } from '#application/ports/auth/stores/signing-key-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import { TOKEN_ALGORITHM } from './issue-access-token.ts';
import {
  chooseSigningKey,
  importKeyRing,
  KEY_RING_MAX_AGE_MS,
  type KeyRing,
  liveKeys,
  type PublicJwk,
} from './key-ring.ts';
import { type MonotonicClock, makeSingleFlightCache, readMonotonicMs } from './single-flight-cache.ts';

/** Methods reject if the store does, and create the first key if there is none. */
export interface TokenKeys {
  /** Keys are kept as long as their tokens live. */
  readonly tokenLifetimeMs: number;
  /** The JWK set for `/.well-known/jwks.json`, newest first, including keys that do not sign yet. */
  publicKeys(): Promise<{ readonly keys: readonly PublicJwk[] }>;
  /** Null if no token in use can carry this id. */
  verificationKey(kid: string): Promise<CryptoKey | null>;
  /** The current private key; rotates and deletes keys when due. */
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
  /** For tests. Default: the process's own. */
  readonly monotonicMs?: MonotonicClock;
}

const DEFAULT_ROTATE_AFTER_MS = 30 * DAY_MS;
const DEFAULT_TOKEN_LIFETIME_MS = 15 * MINUTE_MS;

/** Unknown key ids cause no more frequent reads. */
const UNKNOWN_KEY_REFRESH_MS = 1_000;

/** Instances with a common store share keys: the first to see that one is due creates it. */
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

  /** Concurrent callers share one run. */
  function keepUp(ring: KeyRing): Promise<KeyRing> {
    upkeep ??= rotateAndClear(ring).finally(() => {
      upkeep = null;
    });
    return upkeep;
  }

  async function rotateAndClear(ring: KeyRing): Promise<KeyRing> {
    // Refused if another instance has added a key meanwhile.
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
