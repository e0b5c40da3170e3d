import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeCredentialVerifier } from '#adapters/auth/credential-verifier.ts';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { newId } from '#test/support/builders.ts';
import {
  ACME,
  ALICE,
  API_KEY,
  type AuthWorld,
  aGrant,
  aUser,
  goodParts,
  KEY_ID,
  makeAuthWorld,
  START_MS,
  signParts,
  stolenKey,
} from './auth-world.ts';

const SESSION = { userId: ALICE, sessionId: 'a-session', authEpoch: 3 };
const OTHER_ORG = '0197a000-0000-7000-8000-0000000b3a00' as OrgId;
const PARTNER = '0197a000-0000-7000-8000-0000000a2000' as PartnerId;

/** Alice, signed in, as the store has her at the start. */
const ALICE_SIGNED_IN: Caller = {
  userId: ALICE,
  credential: {
    kind: 'session',
    sessionId: 'a-session',
    authEpoch: 3,
    isMfaEnrolled: true,
    mfaVerifiedAt: null,
  },
  scope: { kind: 'organization', orgId: ACME },
  permissions: new Set(['devices:read', 'users:write']),
  isPlatformAdmin: false,
};

const ALICE_BY_KEY: Caller = {
  ...ALICE_SIGNED_IN,
  credential: { kind: 'api-key', apiKeyId: KEY_ID },
  permissions: new Set(['devices:read']),
};

let world: AuthWorld;
let token: string;

beforeEach(async () => {
  world = makeAuthWorld();
  world.principals.apiKeys.set(digestSecret(API_KEY), { grant: aGrant(), userId: ALICE });
  ({ token } = await world.issue(SESSION));
});

function randomApiKey(): string {
  return `fsk_${randomBytes(32).toString('base64url')}`;
}

/** Both kinds of credential, where they behave alike. */
const BOTH = [
  { name: 'an access token', verify: () => world.verifier.verifyAccessToken(token), good: ALICE_SIGNED_IN },
  { name: 'an API key', verify: () => world.verifier.verifyApiKey(API_KEY), good: ALICE_BY_KEY },
];

describe.each(BOTH)('$name', ({ verify, good }) => {
  test('stands for its user', async () => {
    expect(await verify()).toStrictEqual(good);
  });

  test('is null for a user who is unknown or not active', async () => {
    world.principals.users.delete(ALICE);
    expect(await verify()).toBe(null);
  });

  test('costs one look-up for a hundred requests at once', async () => {
    const callers = await Promise.all(Array.from({ length: 100 }, verify));
    expect(callers).toStrictEqual(Array.from({ length: 100 }, () => good));
    expect(world.principals.calls).toBe(1);
  });

  test('costs no look-up within half a second of the last', async () => {
    await verify();
    world.clock.advance(499);
    await verify();
    expect(world.principals.calls).toBe(1);
    world.clock.advance(1);
    await verify();
    expect(world.principals.calls).toBe(2);
  });

  test.each([
    ['permissions taken away', { permissions: new Set<string>() }],
    ['another organization', { scope: { kind: 'organization', orgId: OTHER_ORG } as const }],
    [
      'a partner who lost an organization',
      { scope: { kind: 'partner', partnerId: PARTNER, orgIds: [], isWhole: false } as const },
    ],
  ])('shows %s within a second', async (_name, change) => {
    expect(await verify()).toStrictEqual(good);
    world.principals.users.set(ALICE, aUser(change));
    world.clock.advance(1_000);
    expect(await verify()).toStrictEqual({ ...good, ...change });
  });

  test('is void within a second of its user being deactivated, and good again after', async () => {
    expect(await verify()).toStrictEqual(good);
    world.principals.users.delete(ALICE);
    world.clock.advance(1_000);
    expect(await verify()).toBe(null);
    world.principals.users.set(ALICE, aUser());
    world.clock.advance(1_000);
    expect(await verify()).toStrictEqual(good);
  });

  test('shows a change within a second though the wall clock is set back meanwhile', async () => {
    expect(await verify()).toStrictEqual(good);
    world.principals.users.delete(ALICE);
    world.clock.advance(1_000);
    world.clock.setWall(START_MS);
    expect(await verify()).toBe(null);
  });

  test('rejects while the store fails, for everybody who waits', async () => {
    world.principals.failure = new Error('database down');
    const outcomes = await Promise.allSettled([verify(), verify()]);
    expect(outcomes).toStrictEqual([
      { status: 'rejected', reason: new Error('database down') },
      { status: 'rejected', reason: new Error('database down') },
    ]);
  });

  test('rejects while the store fails rather than using an answer from a second ago', async () => {
    await verify();
    world.principals.failure = new Error('database down');
    world.clock.advance(1_000);
    await expect(verify()).rejects.toThrow('database down');
  });

  test('is verified at once when the store is back', async () => {
    world.principals.failure = new Error('database down');
    await expect(verify()).rejects.toThrow('database down');
    world.principals.failure = null;
    expect(await verify()).toStrictEqual(good);
  });

  test('stays cached, however many unknown keys are tried', async () => {
    await verify();
    for (let index = 0; index < 12_000; index += 1) await world.verifier.verifyApiKey(randomApiKey());
    const before = world.principals.calls;
    expect(await verify()).toStrictEqual(good);
    expect(world.principals.calls).toBe(before);
  });
});

describe.each(BOTH)('$name of a user who was changed here', ({ verify, good }) => {
  const changed = { permissions: new Set<string>() };

  test.each([
    ['the user', ALICE],
    ['everybody', null],
  ])('shows the change at once when %s is forgotten', async (_who, userId) => {
    expect(await verify()).toStrictEqual(good);
    world.principals.users.set(ALICE, aUser(changed));
    world.clock.advance(1);
    expect(await verify()).toStrictEqual(good);
    world.verifier.forget(userId);
    world.clock.advance(1);
    expect(await verify()).toStrictEqual({ ...good, ...changed });
  });

  test('ignores a read that was in progress at that moment', async () => {
    const before = verify();
    world.principals.users.set(ALICE, aUser(changed));
    world.verifier.forget(ALICE);
    world.clock.advance(1);
    expect(await verify()).toStrictEqual({ ...good, ...changed });
    await before;
    expect(await verify()).toStrictEqual({ ...good, ...changed });
  });

  test('costs one more look-up, and none if somebody else was changed', async () => {
    await verify();
    world.verifier.forget('0197a000-0000-7000-8000-00000000b0b0' as UserId);
    world.clock.advance(1);
    await verify();
    expect(world.principals.calls).toBe(1);
    world.verifier.forget(ALICE);
    world.clock.advance(1);
    await verify();
    await verify();
    expect(world.principals.calls).toBe(2);
  });
});

describe('an access token', () => {
  test('never carries more than the user has now, whatever it claims', async () => {
    const { kid, key } = await stolenKey(world);
    const { header, payload } = goodParts(kid);
    const claims = { ...payload, permissions: ['*'], isPlatformAdmin: true, scope: 'system' };
    expect(await world.verifier.verifyAccessToken(signParts({ header, payload: claims }, key))).toStrictEqual(
      ALICE_SIGNED_IN,
    );
  });

  test('of a demoted platform administrator loses those rights within a second', async () => {
    world.principals.users.set(ALICE, aUser({ isPlatformAdmin: true }));
    expect(await world.verifier.verifyAccessToken(token)).toStrictEqual({
      ...ALICE_SIGNED_IN,
      isPlatformAdmin: true,
    });
    world.principals.users.set(ALICE, aUser());
    world.clock.advance(1_000);
    expect(await world.verifier.verifyAccessToken(token)).toStrictEqual(ALICE_SIGNED_IN);
  });

  test('of an earlier auth epoch is void', async () => {
    world.principals.users.set(ALICE, aUser({ authEpoch: 4 }));
    expect(await world.verifier.verifyAccessToken(token)).toBe(null);
  });

  test('of a later auth epoch than the store has is void', async () => {
    world.principals.users.set(ALICE, aUser({ authEpoch: 2 }));
    expect(await world.verifier.verifyAccessToken(token)).toBe(null);
  });

  test('is void within a second of a change of password', async () => {
    expect(await world.verifier.verifyAccessToken(token)).toStrictEqual(ALICE_SIGNED_IN);
    world.principals.users.set(ALICE, aUser({ authEpoch: 4 }));
    world.clock.advance(1_000);
    expect(await world.verifier.verifyAccessToken(token)).toBe(null);
  });

  test('issued after a change of password is good at once, and the old one void from then on', async () => {
    expect(await world.verifier.verifyAccessToken(token)).toStrictEqual(ALICE_SIGNED_IN);
    world.principals.users.set(ALICE, aUser({ authEpoch: 4 }));
    world.clock.advance(1);
    const { token: renewed } = await world.issue({ ...SESSION, authEpoch: 4 });
    const callers = await Promise.all(
      Array.from({ length: 50 }, () => world.verifier.verifyAccessToken(renewed)),
    );
    const aliceAnew = { ...ALICE_SIGNED_IN, credential: { ...ALICE_SIGNED_IN.credential, authEpoch: 4 } };
    expect(callers).toStrictEqual(Array.from({ length: 50 }, () => aliceAnew));
    expect(await world.verifier.verifyAccessToken(token)).toBe(null);
    expect(world.principals.calls).toBe(2);
  });

  test('of a session that has ended is void within a second', async () => {
    expect(await world.verifier.verifyAccessToken(token)).toStrictEqual(ALICE_SIGNED_IN);
    world.principals.users.set(ALICE, aUser({ endedSessionIds: new Set(['a-session']) }));
    world.clock.advance(1_000);
    expect(await world.verifier.verifyAccessToken(token)).toBe(null);
  });

  test('says when MFA was verified, until the factor changes', async () => {
    const mfa = { verifiedAt: START_MS - 60_000, epoch: 2 };
    const { token: verified } = await world.issue({ ...SESSION, mfa });
    expect((await world.verifier.verifyAccessToken(verified))?.credential).toMatchObject({
      mfaVerifiedAt: START_MS - 60_000,
    });
    world.principals.users.set(ALICE, aUser({ mfaEpoch: 3 }));
    world.clock.advance(1_000);
    expect((await world.verifier.verifyAccessToken(verified))?.credential).toMatchObject({
      mfaVerifiedAt: null,
    });
  });

  test('of a later MFA epoch than the cached one does not wait for the cache', async () => {
    world.principals.users.set(ALICE, aUser({ isMfaEnrolled: false, mfaEpoch: 1 }));
    await world.verifier.verifyAccessToken(token);
    world.principals.users.set(ALICE, aUser());
    world.clock.advance(1);
    const { token: verified } = await world.issue({ ...SESSION, mfa: { verifiedAt: START_MS, epoch: 2 } });
    expect((await world.verifier.verifyAccessToken(verified))?.credential).toMatchObject({
      isMfaEnrolled: true,
      mfaVerifiedAt: START_MS,
    });
  });

  test('issued after a change costs one more look-up, however many present it at once', async () => {
    let elapsed = 0;
    const { principals, keys, clock } = world;
    // Like a real one, this monotonic clock never shows the same time twice.
    const monotonicMs = () => {
      elapsed += 0.001;
      return elapsed;
    };
    const verifier = makeCredentialVerifier({ principals, keys, clock: clock.wall, monotonicMs });
    await verifier.verifyAccessToken(token);
    principals.users.set(ALICE, aUser({ authEpoch: 4 }));
    const { token: renewed } = await world.issue({ ...SESSION, authEpoch: 4 });
    await Promise.all(Array.from({ length: 50 }, () => verifier.verifyAccessToken(renewed)));
    expect(principals.calls).toBe(2);
  });

  test('of each of a thousand users stays cached', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const userId = `0197a000-0000-7000-9000-${String(index).padStart(12, '0')}` as UserId;
        world.principals.users.set(userId, aUser({ userId }));
        return (await world.issue({ ...SESSION, userId })).token;
      }),
    );
    for (const theirs of [...tokens, ...tokens]) await world.verifier.verifyAccessToken(theirs);
    expect(world.principals.calls).toBe(1_000);
  });

  test('of a user who does not exist is void', async () => {
    const stranger = '0197a000-0000-7000-8000-00000000b0b0' as UserId;
    const { token: theirs } = await world.issue({ ...SESSION, userId: stranger });
    expect(await world.verifier.verifyAccessToken(theirs)).toBe(null);
  });

  test('that has expired is good for requests begun before, but void once its user is not active', async () => {
    world.clock.advance(24 * 3_600_000);
    expect(await world.verifier.verifyAccessToken(token, START_MS)).toStrictEqual(ALICE_SIGNED_IN);
    expect(await world.verifier.verifyAccessToken(token)).toBe(null);
    expect(await world.verifier.verifyAccessToken(token, START_MS)).toStrictEqual(ALICE_SIGNED_IN);
    world.principals.users.delete(ALICE);
    world.clock.advance(1_000);
    expect(await world.verifier.verifyAccessToken(token, START_MS)).toBe(null);
  });

  test('that is expired, forged or garbage costs no look-up', async () => {
    const { kid, key } = await stolenKey(world);
    const { header, payload } = goodParts(kid);
    const bad = [
      'garbage',
      `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`,
      signParts({ header, payload: { ...payload, exp: START_MS / 1_000 } }, key),
      API_KEY,
    ];
    for (const presented of bad) expect(await world.verifier.verifyAccessToken(presented)).toBe(null);
    expect(world.principals.calls).toBe(0);
  });

  test('rejects while the key store fails', async () => {
    world.clock.advance(60_000);
    world.keyStore.failure = new Error('database down');
    await expect(world.verifier.verifyAccessToken(token)).rejects.toThrow('database down');
  });
});

describe('an API key', () => {
  /** Puts the key into the store with these terms. */
  function grant(overrides: Parameters<typeof aGrant>[0]): void {
    world.principals.apiKeys.set(digestSecret(API_KEY), { grant: aGrant(overrides), userId: ALICE });
  }

  test('is void at the very moment it expires, cached or not', async () => {
    grant({ expiresAt: START_MS + 100 });
    world.clock.advance(99);
    expect(await world.verifier.verifyApiKey(API_KEY)).toStrictEqual(ALICE_BY_KEY);
    world.clock.advance(1);
    expect(await world.verifier.verifyApiKey(API_KEY)).toBe(null);
    expect(world.principals.calls).toBe(1);
  });

  test('that has expired is good for requests begun before, but void once it is revoked', async () => {
    grant({ expiresAt: START_MS + 100 });
    world.clock.advance(5_000);
    expect(await world.verifier.verifyApiKey(API_KEY, START_MS)).toStrictEqual(ALICE_BY_KEY);
    expect(await world.verifier.verifyApiKey(API_KEY)).toBe(null);
    grant({ expiresAt: START_MS + 100, isRevoked: true });
    world.clock.advance(1_000);
    expect(await world.verifier.verifyApiKey(API_KEY, START_MS)).toBe(null);
  });

  test('is void within a second of being revoked', async () => {
    expect(await world.verifier.verifyApiKey(API_KEY)).toStrictEqual(ALICE_BY_KEY);
    grant({ isRevoked: true });
    world.clock.advance(1_000);
    expect(await world.verifier.verifyApiKey(API_KEY)).toBe(null);
  });

  test('is void within a second of being deleted', async () => {
    expect(await world.verifier.verifyApiKey(API_KEY)).toStrictEqual(ALICE_BY_KEY);
    world.principals.apiKeys.clear();
    world.clock.advance(1_000);
    expect(await world.verifier.verifyApiKey(API_KEY)).toBe(null);
  });

  test('loses within a second what its user loses', async () => {
    grant({ permissions: new Set(['devices:read', 'users:write']) });
    expect(await world.verifier.verifyApiKey(API_KEY)).toStrictEqual({
      ...ALICE_BY_KEY,
      permissions: new Set(['devices:read', 'users:write']),
    });
    world.principals.users.set(ALICE, aUser({ permissions: new Set(['devices:read']) }));
    world.clock.advance(1_000);
    expect(await world.verifier.verifyApiKey(API_KEY)).toStrictEqual(ALICE_BY_KEY);
  });

  test('has no permission that its user lacks', async () => {
    grant({ permissions: new Set(['devices:read', 'devices:write']) });
    expect(await world.verifier.verifyApiKey(API_KEY)).toStrictEqual(ALICE_BY_KEY);
  });

  test('of a platform administrator has the same rights', async () => {
    world.principals.users.set(ALICE, aUser({ isPlatformAdmin: true, scope: { kind: 'system' } }));
    expect(await world.verifier.verifyApiKey(API_KEY)).toStrictEqual({
      ...ALICE_BY_KEY,
      isPlatformAdmin: true,
      scope: { kind: 'system' },
    });
  });

  test('for one organization reaches that one only', async () => {
    world.principals.users.set(ALICE, aUser({ isPlatformAdmin: true, scope: { kind: 'system' } }));
    grant({ orgId: ACME });
    expect(await world.verifier.verifyApiKey(API_KEY)).toStrictEqual(ALICE_BY_KEY);
  });

  test.each([
    ['empty', ''],
    ['without its prefix', API_KEY.slice(4)],
    ['of another prefix', API_KEY.replace('fsk_', 'sk_')],
    ['with an upper-case prefix', API_KEY.replace('fsk_', 'FSK_')],
    ['one character short', API_KEY.slice(0, -1)],
    ['one character long', `${API_KEY}A`],
    ['with a space before', ` ${API_KEY}`],
    ['with a line feed after', `${API_KEY}\n`],
    ['with a character outside the alphabet', `${API_KEY.slice(0, -1)}+`],
    ['very long', `fsk_${'A'.repeat(1_000_000)}`],
    ['its own SHA-256', digestSecret(API_KEY)],
    ['with a wildcard', `fsk_${'%'.repeat(43)}`],
  ])('%s is null without a look-up', async (_name, presented) => {
    expect(await world.verifier.verifyApiKey(presented)).toBe(null);
    expect(world.principals.calls).toBe(0);
  });

  test('that is unknown costs one look-up, as a revoked one does, and gets the same answer', async () => {
    grant({ isRevoked: true });
    expect(await world.verifier.verifyApiKey(API_KEY)).toBe(null);
    expect(world.principals.calls).toBe(1);
    expect(await world.verifier.verifyApiKey(randomApiKey())).toBe(null);
    expect(world.principals.calls).toBe(2);
  });

  test('that is unknown is looked up once in half a second', async () => {
    const unknown = randomApiKey();
    for (let count = 0; count < 100; count += 1) await world.verifier.verifyApiKey(unknown);
    expect(world.principals.calls).toBe(1);
    world.clock.advance(500);
    await world.verifier.verifyApiKey(unknown);
    expect(world.principals.calls).toBe(2);
  });

  test('differs from another in any character, case included', async () => {
    const upper = API_KEY.replace('b', 'B');
    expect(await world.verifier.verifyApiKey(upper)).toBe(null);
  });
});

describe('maxAgeMs', () => {
  function makeVerifier(maxAgeMs: number) {
    const { principals, keys, clock } = world;
    return makeCredentialVerifier({
      principals,
      keys,
      clock: clock.wall,
      monotonicMs: clock.monotonic,
      maxAgeMs,
    });
  }

  test('says how long an answer is good for', async () => {
    const verifier = makeVerifier(200);
    await verifier.verifyApiKey(API_KEY);
    world.clock.advance(199);
    await verifier.verifyApiKey(API_KEY);
    expect(world.principals.calls).toBe(1);
    world.clock.advance(1);
    await verifier.verifyApiKey(API_KEY);
    expect(world.principals.calls).toBe(2);
  });

  test('of 0 asks the store every time', async () => {
    const verifier = makeVerifier(0);
    for (let count = 0; count < 3; count += 1) await verifier.verifyAccessToken(token);
    expect(world.principals.calls).toBe(3);
  });

  test.each([-1, 1_001, Number.NaN, Number.POSITIVE_INFINITY])(
    'of %d is refused: it must be from 0 to 1,000',
    (maxAgeMs) => {
      expect(() => makeVerifier(maxAgeMs)).toThrow(RangeError);
    },
  );
});

test('principals with very many organizations are not all kept', async () => {
  const people = Array.from({ length: 20 }, () => newId<'user'>());
  const orgIds = Array.from({ length: 20_000 }, () => OTHER_ORG);
  const scope = { kind: 'partner', partnerId: PARTNER, orgIds, isWhole: true } as const;
  const tokens = [];
  for (const userId of people) {
    world.principals.users.set(userId, { ...aUser(), userId, scope });
    tokens.push((await world.issue({ ...SESSION, userId })).token);
  }
  for (const each of tokens) expect(await world.verifier.verifyAccessToken(each)).not.toBeNull();
  const before = world.principals.calls;
  for (const each of [tokens.at(-1), tokens.at(0)]) await world.verifier.verifyAccessToken(each ?? '');
  expect(world.principals.calls - before).toBe(1);
});
