import { createHash } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeIssueAccessToken } from '#adapters/auth/issue-access-token.ts';
import { ALICE, type AuthWorld, LIFETIME_MS, makeAuthWorld, makeTestIds, START_MS } from './auth-world.ts';

let world: AuthWorld;
const CLAIMS = { userId: ALICE, sessionId: 'a-session', authEpoch: 3 };

beforeEach(() => {
  world = makeAuthWorld();
});

describe('an issued token', () => {
  test('names its user and its session, and when it begins and ends', async () => {
    const { token, expiresIn } = await world.issue(CLAIMS);
    expect(expiresIn).toBe(900);
    expect(decodeJwt(token)).toStrictEqual({
      iss: 'urn:fleetsift',
      aud: 'urn:fleetsift:api',
      sub: ALICE,
      jti: '0197a000-0000-7000-8000-000000000002',
      sid: 'a-session',
      aep: 3,
      iat: START_MS / 1_000,
      exp: START_MS / 1_000 + 900,
    });
  });

  test('names its type, its algorithm and its key, and nothing else', async () => {
    const { token } = await world.issue(CLAIMS);
    const { kid } = await world.keys.signingKey();
    expect(decodeProtectedHeader(token)).toStrictEqual({ alg: 'EdDSA', typ: 'at+jwt', kid });
  });

  test('verifies under the published keys alone', async () => {
    const { token } = await world.issue(CLAIMS);
    const published = (await world.keys.publicKeys()) as unknown as JSONWebKeySet;
    const { payload } = await jwtVerify(token, createLocalJWKSet(published), {
      currentDate: new Date(START_MS),
    });
    expect(payload.sub).toBe(ALICE);
  });

  test('says when MFA was verified, in whole seconds, rounded down, and of which epoch', async () => {
    const { token } = await world.issue({ ...CLAIMS, mfa: { verifiedAt: START_MS - 1_001, epoch: 2 } });
    expect(decodeJwt(token)).toMatchObject({ mfa_at: START_MS / 1_000 - 2, mep: 2 });
  });

  test.each([{ mfa: null }, {}])('says nothing of MFA for %j', async (mfa) => {
    const { token } = await world.issue({ ...CLAIMS, ...mfa });
    expect(decodeJwt(token)).not.toHaveProperty('mfa_at');
    expect(decodeJwt(token)).not.toHaveProperty('mep');
  });

  test('begins with the second in which it was issued', async () => {
    world.clock.advance(999);
    const { token } = await world.issue(CLAIMS);
    expect(decodeJwt(token)).toMatchObject({ iat: START_MS / 1_000, exp: START_MS / 1_000 + 900 });
  });

  test('is never the same twice', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => world.issue(CLAIMS)));
    expect(new Set(tokens.map(({ token }) => createHash('sha256').update(token).digest('hex'))).size).toBe(
      20,
    );
  });
});

test('nothing is issued while the key store fails', async () => {
  world.keyStore.failure = new Error('database down');
  await expect(world.issue(CLAIMS)).rejects.toThrow('database down');
});

test.each([999, 0, -1, Number.NaN, LIFETIME_MS + 1])('a lifetime of %d ms is refused', (lifetimeMs) => {
  expect(() =>
    makeIssueAccessToken({ keys: world.keys, clock: world.clock.wall, newId: makeTestIds(), lifetimeMs }),
  ).toThrow(RangeError);
});
