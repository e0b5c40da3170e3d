import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeIssueAccessToken } from '#adapters/auth/issue-access-token.ts';
import { makeReadAccessToken, type ReadAccessToken } from '#adapters/auth/read-access-token.ts';
import { makeTokenKeys, type TokenKeys, type TokenKeysDeps } from '#adapters/auth/token-keys.ts';
import type { EpochMs } from '#domain/time.ts';
import {
  ALICE,
  type FakeKeyStore,
  LIFETIME_MS,
  makeFakeKeyStore,
  makeStoredKey,
  makeTestClock,
  makeTestIds,
  START_MS,
  type TestClock,
} from './auth-world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SESSION = { userId: ALICE, sessionId: 'a-session', authEpoch: 3 };
const GOOD = { ...SESSION, mfaVerifiedAt: null, mfaEpoch: null };

let clock: TestClock;
let store: FakeKeyStore;
let deps: TokenKeysDeps;
let keys: TokenKeys;

beforeEach(() => {
  clock = makeTestClock();
  store = makeFakeKeyStore();
  deps = { store, clock: clock.wall, newId: makeTestIds(), monotonicMs: clock.monotonic };
  keys = makeTokenKeys(deps);
});

/** The means of one instance to issue and to read tokens. */
function makeInstance(of: TokenKeys = makeTokenKeys(deps)) {
  const issue = makeIssueAccessToken({
    keys: of,
    clock: clock.wall,
    newId: deps.newId,
    lifetimeMs: LIFETIME_MS,
  });
  return {
    keys: of,
    issue: async () => (await issue(SESSION)).token,
    read: makeReadAccessToken({ keys: of, clock: clock.wall }) as ReadAccessToken,
  };
}

interface Outstanding {
  readonly token: string;
  readonly expiresAt: EpochMs;
}

/** Expects each token to be good until it expires and void after that; ignores any that expired over a minute ago. */
async function expectGoodTillExpiry(
  { read }: { readonly read: ReadAccessToken },
  tokens: readonly Outstanding[],
): Promise<void> {
  const now = clock.wall();
  const recent = tokens.filter(({ expiresAt }) => now < expiresAt + MINUTE_MS);
  const answers = await Promise.all(recent.map(({ token }) => read(token)));
  expect(answers).toStrictEqual(recent.map(({ expiresAt }) => (now < expiresAt ? GOOD : null)));
}

async function publishedKids(of: TokenKeys = keys): Promise<readonly string[]> {
  return (await of.publicKeys()).keys.map(({ kid }) => kid);
}

function storedKids(): readonly string[] {
  return store.keys.map(({ kid }) => kid);
}

describe('the first key', () => {
  test('is made when one is needed to sign, and then used', async () => {
    expect(storedKids()).toStrictEqual([]);
    const first = await keys.signingKey();
    expect(storedKids()).toStrictEqual([first.kid]);
    clock.advance(MINUTE_MS);
    expect(await keys.signingKey()).toMatchObject({ kid: first.kid });
    expect(store.adds).toBe(1);
  });

  test('is created by the first request for the key set, so the set is never empty', async () => {
    expect(await publishedKids()).toStrictEqual(storedKids());
    expect(store.adds).toBe(1);
  });

  test('is made once for a hundred calls at once', async () => {
    const signing = await Promise.all(Array.from({ length: 100 }, () => keys.signingKey()));
    expect(new Set(signing.map(({ kid }) => kid)).size).toBe(1);
    expect(store.adds).toBe(1);
  });

  test('is the same for two instances that start at once', async () => {
    const [one, other] = [makeInstance(), makeInstance()];
    const tokens = await Promise.all([one.issue(), other.issue()]);
    expect(store.adds).toBe(1);
    for (const token of tokens) {
      expect(await one.read(token)).toStrictEqual(GOOD);
      expect(await other.read(token)).toStrictEqual(GOOD);
    }
  });

  test('also serves an instance that starts later', async () => {
    const token = await makeInstance().issue();
    expect(await makeInstance().read(token)).toStrictEqual(GOOD);
    expect(store.adds).toBe(1);
  });

  test('is stored as an Ed25519 key with the time at which it was made', async () => {
    await keys.signingKey();
    expect(store.keys).toStrictEqual([
      {
        kid: '0197a000-0000-7000-8000-000000000001',
        privateJwk: {
          kty: 'OKP',
          crv: 'Ed25519',
          x: expect.stringMatching(/^[\w-]{43}$/),
          d: expect.stringMatching(/^[\w-]{43}$/),
        },
        createdAt: START_MS,
      },
    ]);
  });
});

test('the published key set holds the public part and nothing of the private one', async () => {
  await keys.signingKey();
  const [stored] = store.keys;
  expect(await keys.publicKeys()).toStrictEqual({
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: stored?.privateJwk.x,
        kid: stored?.kid,
        use: 'sig',
        alg: 'EdDSA',
      },
    ],
  });
});

describe('rotation', () => {
  test('is not due a millisecond before 30 days', async () => {
    await keys.signingKey();
    clock.advance(30 * DAY_MS - 1);
    await keys.signingKey();
    expect(store.adds).toBe(1);
  });

  test('publishes the new key ten minutes before it signs', async () => {
    const { kid: old } = await keys.signingKey();
    clock.advance(30 * DAY_MS);
    expect(await keys.signingKey()).toMatchObject({ kid: old });
    const [created = ''] = storedKids().filter((kid) => kid !== old);
    expect(await publishedKids()).toStrictEqual([created, old]);
    clock.advance(10 * MINUTE_MS - 1);
    expect(await keys.signingKey()).toMatchObject({ kid: old });
    clock.advance(1);
    expect(await keys.signingKey()).toMatchObject({ kid: created });
  });

  test('signs nobody out: every token is good for its whole life, at every instance', async () => {
    const instances = [makeInstance(), makeInstance()];
    const tokens: Outstanding[] = [];
    const kidsUsed = new Set<string>();
    await instances[0]?.issue();
    clock.advance(30 * DAY_MS - 5 * MINUTE_MS);
    for (let minute = 0; minute < 60; minute += 1) {
      for (const instance of instances) {
        tokens.push({ token: await instance.issue(), expiresAt: clock.wall() + LIFETIME_MS });
        kidsUsed.add((await instance.keys.signingKey()).kid);
      }
      for (const instance of [...instances, makeInstance()]) await expectGoodTillExpiry(instance, tokens);
      clock.advance(MINUTE_MS);
    }
    expect(kidsUsed.size).toBe(2);
    expect(store.adds).toBe(2);
  });

  test('happens once for a hundred calls that sign at once', async () => {
    await keys.signingKey();
    clock.advance(30 * DAY_MS);
    const before = store.lists;
    await Promise.all(Array.from({ length: 100 }, () => keys.signingKey()));
    expect(store.adds).toBe(2);
    expect(store.keys.length).toBe(2);
    expect(store.lists).toBe(before + 2);
  });

  test('happens once for two instances that find it due at once', async () => {
    const [one, other] = [makeInstance(), makeInstance()];
    await Promise.all([one.issue(), other.issue()]);
    clock.advance(30 * DAY_MS);
    await Promise.all([one.issue(), other.issue()]);
    expect(store.adds).toBe(2);
    expect(await publishedKids(one.keys)).toStrictEqual(await publishedKids(other.keys));
  });

  test('happens once though the second instance has not seen the key of the first', async () => {
    const [one, other] = [makeInstance(), makeInstance()];
    await one.issue();
    clock.advance(30 * DAY_MS - 1);
    await other.issue();
    clock.advance(1);
    await one.issue();
    clock.advance(5_000);
    await other.issue();
    expect(store.adds).toBe(2);
  });

  test('removes the old key from the published set once all its tokens have expired', async () => {
    const { kid: old } = await keys.signingKey();
    clock.advance(30 * DAY_MS);
    await keys.signingKey();
    // Ten minutes until it signs, half a minute until all know, 15 until the last token expires, one for skew.
    clock.advance(26.5 * MINUTE_MS - 1);
    expect(await publishedKids()).toContain(old);
    expect(await keys.verificationKey(old)).not.toBe(null);
    clock.advance(1);
    expect(await publishedKids()).not.toContain(old);
    expect(await keys.verificationKey(old)).toBe(null);
  });

  test('removes the old key from the store at the next signing after that', async () => {
    const { kid: old } = await keys.signingKey();
    clock.advance(30 * DAY_MS);
    await keys.signingKey();
    clock.advance(26.5 * MINUTE_MS);
    expect(storedKids()).toContain(old);
    const { kid: current } = await keys.signingKey();
    expect(storedKids()).toStrictEqual([current]);
    expect(await publishedKids()).toStrictEqual([current]);
  });

  test('waits for the next signing however long it takes, and the old key verifies until then', async () => {
    const { kid } = await keys.signingKey();
    clock.advance(90 * DAY_MS);
    expect(await publishedKids()).toStrictEqual([kid]);
    expect(await keys.verificationKey(kid)).not.toBe(null);
    expect(await keys.signingKey()).toMatchObject({ kid });
    expect(store.adds).toBe(2);
  });

  test('is as frequent as configured, and keeps no more keys than tokens need', async () => {
    const frequent = makeTokenKeys({ ...deps, rotateAfterMs: 5 * MINUTE_MS, tokenLifetimeMs: LIFETIME_MS });
    const instance = makeInstance(frequent);
    const tokens: Outstanding[] = [];
    for (let minute = 0; minute < 120; minute += 1) {
      tokens.push({ token: await instance.issue(), expiresAt: clock.wall() + LIFETIME_MS });
      await expectGoodTillExpiry(instance, tokens);
      clock.advance(MINUTE_MS);
    }
    expect(store.adds).toBe(24);
    expect(store.keys.length).toBeLessThanOrEqual(8);
  });

  test('signs with the oldest key while all keys are new', async () => {
    store.keys = [
      await makeStoredKey('younger', START_MS - MINUTE_MS),
      await makeStoredKey('older', START_MS - 2 * MINUTE_MS),
    ];
    expect(await keys.signingKey()).toMatchObject({ kid: 'older' });
  });

  test('keeps the current key when the clock is set back', async () => {
    const { kid } = await keys.signingKey();
    clock.setWall(START_MS - 3_600_000);
    expect(await keys.signingKey()).toMatchObject({ kid });
    expect(store.adds).toBe(1);
  });
});

describe('an unknown key', () => {
  test('is looked for in the store', async () => {
    await keys.publicKeys();
    clock.advance(1_000);
    store.keys = [await makeStoredKey('by-hand', START_MS + 1), ...store.keys];
    expect(await keys.verificationKey('by-hand')).not.toBe(null);
  });

  test('costs the store one read a second at most, however many are named', async () => {
    await keys.publicKeys();
    clock.advance(5_000);
    const before = store.lists;
    const found = await Promise.all(
      Array.from({ length: 500 }, (_, index) => keys.verificationKey(`garbage-${index}`)),
    );
    expect(new Set(found)).toStrictEqual(new Set([null]));
    for (let index = 0; index < 500; index += 1) await keys.verificationKey(`more-${index}`);
    expect(store.lists).toBe(before + 1);
    clock.advance(999);
    await keys.verificationKey('garbage');
    expect(store.lists).toBe(before + 1);
    clock.advance(1);
    await keys.verificationKey('garbage');
    expect(store.lists).toBe(before + 2);
  });

  test('does not keep known ones from being used', async () => {
    const { kid } = await keys.signingKey();
    clock.advance(2_000);
    await Promise.all(Array.from({ length: 100 }, (_, index) => keys.verificationKey(`garbage-${index}`)));
    expect(await keys.verificationKey(kid)).not.toBe(null);
  });
});

test('a key that is removed from the store is accepted for half a minute at most', async () => {
  const { kid } = await keys.signingKey();
  store.keys = [await makeStoredKey('other', START_MS)];
  clock.advance(29_999);
  expect(await keys.verificationKey(kid)).not.toBe(null);
  clock.advance(1);
  expect(await keys.verificationKey(kid)).toBe(null);
});

describe('while the store fails', () => {
  test('keys that were read recently still verify and sign', async () => {
    const { kid } = await keys.signingKey();
    store.failure = new Error('database down');
    clock.advance(20_000);
    expect(await keys.verificationKey(kid)).not.toBe(null);
    expect(await keys.signingKey()).toMatchObject({ kid });
  });

  test('everything else rejects, an unknown key included', async () => {
    const { kid } = await keys.signingKey();
    store.failure = new Error('database down');
    clock.advance(2_000);
    await expect(keys.verificationKey('unknown')).rejects.toThrow('database down');
    clock.advance(30_000);
    await expect(keys.verificationKey(kid)).rejects.toThrow('database down');
    await expect(keys.publicKeys()).rejects.toThrow('database down');
    await expect(keys.signingKey()).rejects.toThrow('database down');
  });

  test('a rotation rejects, and happens once the store is back', async () => {
    await keys.signingKey();
    clock.advance(30 * DAY_MS);
    await keys.publicKeys();
    store.failure = new Error('database down');
    await expect(keys.signingKey()).rejects.toThrow('database down');
    store.failure = null;
    await keys.signingKey();
    expect(store.adds).toBe(2);
  });

  test('the failure is not remembered', async () => {
    store.failure = new Error('database down');
    await expect(keys.publicKeys()).rejects.toThrow('database down');
    store.failure = null;
    expect((await keys.publicKeys()).keys.length).toBe(1);
  });
});

test('a stored key of another kind is a fault, not an unknown key', async () => {
  const {
    x = '',
    y = '',
    d = '',
  } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    format: 'jwk',
  });
  store.keys = [{ kid: 'ec', privateJwk: { kty: 'EC', crv: 'P-256', x, y, d }, createdAt: START_MS }];
  await expect(keys.verificationKey('ec')).rejects.toThrow('signing key ec is not a private Ed25519 key');
});
