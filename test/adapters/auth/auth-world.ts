/** Stores in memory, a clock that only the test moves, and the means to forge any token. */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import {
  type CachingCredentialVerifier,
  makeCredentialVerifier,
} from '#adapters/auth/credential-verifier.ts';
import { makeIssueAccessToken } from '#adapters/auth/issue-access-token.ts';
import { makeTokenKeys, type TokenKeys } from '#adapters/auth/token-keys.ts';
import type { IssueAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { PrincipalStore } from '#application/ports/auth/stores/principal-store.ts';
import type { SigningKey, SigningKeyStore } from '#application/ports/auth/stores/signing-key-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { ApiKeyGrant } from '#domain/access/api-key.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { ApiKeyId, Id, OrgId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export const START_MS: EpochMs = Date.UTC(2026, 1, 10, 8);
export const LIFETIME_MS = 15 * 60_000;
export const ALICE = '0197a000-0000-7000-8000-00000000a11c' as UserId;
export const ACME = '0197a000-0000-7000-8000-0000000ac3e0' as OrgId;
export const KEY_ID = '0197a000-0000-7000-8000-000000000042' as ApiKeyId;
export const API_KEY = `fsk_${'Ab3-_'.repeat(8)}xyz`;

/** Wall clock and monotonic clock; they move together unless the wall clock is set. */
export interface TestClock {
  readonly wall: () => EpochMs;
  readonly monotonic: () => number;
  readonly advance: (ms: number) => void;
  readonly setWall: (instant: EpochMs) => void;
}

export function makeTestClock(): TestClock {
  let wall = START_MS;
  let elapsed = 5_000;
  return {
    wall: () => wall,
    monotonic: () => elapsed,
    advance: (ms) => {
      wall += ms;
      elapsed += ms;
    },
    setWall: (instant) => {
      wall = instant;
    },
  };
}

/** Counts its calls, and rejects while `failure` is set. */
export interface FakePrincipals extends PrincipalStore {
  readonly users: Map<UserId, Principal>;
  readonly apiKeys: Map<string, { grant: ApiKeyGrant; userId: UserId }>;
  calls: number;
  failure: Error | null;
}

export function makeFakePrincipals(): FakePrincipals {
  const fake: FakePrincipals = {
    users: new Map(),
    apiKeys: new Map(),
    calls: 0,
    failure: null,
    async findUser(userId) {
      fake.calls += 1;
      if (fake.failure !== null) throw fake.failure;
      return fake.users.get(userId) ?? null;
    },
    async findApiKey(keySha256) {
      fake.calls += 1;
      if (fake.failure !== null) throw fake.failure;
      const found = fake.apiKeys.get(keySha256);
      const user = found === undefined ? undefined : fake.users.get(found.userId);
      return found === undefined || user === undefined ? null : { grant: found.grant, user };
    },
  };
  return fake;
}

export interface FakeKeyStore extends SigningKeyStore {
  keys: SigningKey[];
  lists: number;
  adds: number;
  failure: Error | null;
}

export function makeFakeKeyStore(): FakeKeyStore {
  const fake: FakeKeyStore = {
    keys: [],
    lists: 0,
    adds: 0,
    failure: null,
    async list() {
      fake.lists += 1;
      if (fake.failure !== null) throw fake.failure;
      return fake.keys.toSorted((a, b) => b.createdAt - a.createdAt);
    },
    async add(key, unlessSince) {
      if (fake.failure !== null) throw fake.failure;
      if (fake.keys.some(({ createdAt }) => createdAt >= unlessSince)) return false;
      fake.adds += 1;
      fake.keys = [...fake.keys, key];
      return true;
    },
    async removeCreatedBefore(instant) {
      fake.keys = fake.keys.filter(({ createdAt }) => createdAt >= instant);
    },
  };
  return fake;
}

export function aUser(overrides: Partial<Principal> = {}): Principal {
  return {
    userId: ALICE,
    scope: { kind: 'organization', orgId: ACME },
    permissions: new Set(['devices:read', 'users:write']),
    isPlatformAdmin: false,
    authEpoch: 3,
    isMfaEnrolled: true,
    mfaEpoch: 2,
    endedSessionIds: new Set(),
    ...overrides,
  };
}

export function aGrant(overrides: Partial<ApiKeyGrant> = {}): ApiKeyGrant {
  return {
    id: KEY_ID,
    orgId: null,
    permissions: new Set(['devices:read']),
    expiresAt: null,
    isRevoked: false,
    ...overrides,
  };
}

/** UUIDs in order. */
export function makeTestIds(): IdGenerator {
  let last = 0;
  return <K extends string>() => {
    last += 1;
    return `0197a000-0000-7000-8000-${String(last).padStart(12, '0')}` as Id<K>;
  };
}

export interface AuthWorld {
  readonly clock: TestClock;
  readonly principals: FakePrincipals;
  readonly keyStore: FakeKeyStore;
  readonly keys: TokenKeys;
  readonly issue: IssueAccessToken;
  readonly verifier: CachingCredentialVerifier;
}

/** One instance of the service with Alice, active, in the principal store. */
export function makeAuthWorld(): AuthWorld {
  const clock = makeTestClock();
  const principals = makeFakePrincipals();
  principals.users.set(ALICE, aUser());
  const keyStore = makeFakeKeyStore();
  const newId = makeTestIds();
  const keys = makeTokenKeys({
    store: keyStore,
    clock: clock.wall,
    newId,
    tokenLifetimeMs: LIFETIME_MS,
    monotonicMs: clock.monotonic,
  });
  return {
    clock,
    principals,
    keyStore,
    keys,
    issue: makeIssueAccessToken({ keys, clock: clock.wall, newId, lifetimeMs: LIFETIME_MS }),
    verifier: makeCredentialVerifier({
      principals,
      keys,
      clock: clock.wall,
      monotonicMs: clock.monotonic,
    }),
  };
}

export interface TokenParts {
  readonly header: Record<string, unknown>;
  readonly payload: Record<string, unknown>;
}

/** The parts of a good token for Alice under the key `kid`; a test changes the part that it tests. */
export function goodParts(kid: string): TokenParts {
  const iat = START_MS / 1_000;
  return {
    header: { alg: 'EdDSA', typ: 'at+jwt', kid },
    payload: {
      iss: 'urn:fleetsift',
      aud: 'urn:fleetsift:api',
      sub: ALICE,
      jti: 'a-token',
      sid: 'a-session',
      aep: 3,
      iat,
      exp: iat + 900,
    },
  };
}

/** The text that a signature of the parts covers. */
export function signingInput({ header, payload }: TokenParts): string {
  return `${encodePart(header)}.${encodePart(payload)}`;
}

export function encodePart(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** A token with exactly these parts, signed with Ed25519 whatever its header says. */
export function signParts(parts: TokenParts, key: KeyObject): string {
  const input = signingInput(parts);
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
}

/** The private key that the service signs with, as a thief would have it. */
export async function stolenKey(world: AuthWorld): Promise<{ kid: string; key: KeyObject }> {
  const { kid } = await world.keys.signingKey();
  const stored = world.keyStore.keys.find((key) => key.kid === kid);
  if (stored === undefined) throw new Error('the signing key is not in the store');
  return { kid, key: createPrivateKey({ key: { ...stored.privateJwk }, format: 'jwk' }) };
}

/** A key of the store's kind, made at this instant. */
export async function makeStoredKey(kid: string, createdAt: EpochMs): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const { x = '', d = '' } = await exportJWK(privateKey);
  return { kid, privateJwk: { kty: 'OKP', crv: 'Ed25519', x, d }, createdAt };
}
