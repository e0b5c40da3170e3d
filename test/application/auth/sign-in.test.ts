import { beforeEach, describe, expect, test } from 'vitest';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { aUser } from '#test/support/builders.ts';
import { type MemoryAuth, makeMemoryAuth } from '#test/support/http/memory-auth.ts';
import { loadFleet } from '#test/support/tenant.ts';

const VISIT = { requestId: 'request-1', ip: '192.0.2.7' };

let world: MemoryAuth;
let user: UserRecord;

beforeEach(async () => {
  world = makeMemoryAuth();
  user = aUser();
  await loadFleet(world.backend, [user]);
});

function signIn(given: { email?: string; password?: string; code?: string } = {}) {
  const { email, password } = user;
  return world.auth.signIn(VISIT, { email, password, code: undefined, ...given }, 'client');
}

describe('the work of a sign-in', () => {
  test.each([
    ['an unknown email', { email: 'nobody@example.com' }, null],
    ['a wrong password', { password: 'wrong' }, 'hash of correct horse battery staple'],
    ['the right password', {}, 'hash of correct horse battery staple'],
  ])('is one password comparison for %s', async (_what, given, storedHash) => {
    await signIn(given);
    expect(world.hashesLookedAt).toStrictEqual([storedHash]);
  });

  test('is no comparison after too many attempts', async () => {
    for (let i = 0; i < 12; i++) await signIn({ password: 'wrong' });
    expect(world.hashesLookedAt).toHaveLength(10);
  });
});

describe('a hash with weaker parameters', () => {
  const storedHash = async () => (await world.backend.signIns.findById(user.id))?.passwordHash;

  beforeEach(() =>
    world.backend.signIns.replacePasswordHash(
      user.id,
      `hash of ${user.password}`,
      `old hash of ${user.password}`,
    ),
  );

  test('is renewed by signing in, which signs nobody out', async () => {
    const before = await signIn();
    expect(await storedHash()).toBe(`hash of ${user.password}`);
    if (!before.ok) throw new Error('nobody signed in');
    expect(await world.credentials.verifyAccessToken(before.value.accessToken)).not.toBeNull();
  });

  test('is kept after a wrong password', async () => {
    await signIn({ password: 'wrong' });
    expect(await storedHash()).toBe(`old hash of ${user.password}`);
  });
});

test('an account that changes while its password is checked is not signed in', async () => {
  const { findByEmail } = world.backend.signIns;
  Object.assign(world.backend.signIns, {
    findByEmail: async (email: string) => {
      const account = await findByEmail(email);
      await loadFleet(world.backend, [user]);
      return account;
    },
  });
  expect(await signIn()).toMatchObject({ ok: false, error: { code: 'invalid_credentials' } });
  expect(world.takeEntries()).toMatchObject([{ action: 'auth.login', result: 'denied' }]);
});

test('a password that is changed while it is checked signs nobody in', async () => {
  const { findByEmail } = world.backend.signIns;
  Object.assign(world.backend.signIns, {
    findByEmail: async (email: string) => {
      const account = await findByEmail(email);
      await world.backend.unitOfWork({ kind: 'system' }, (tx) => tx.passwords.change(user.id, 'another'));
      return account;
    },
  });
  expect(await signIn()).toMatchObject({ ok: false, error: { code: 'invalid_credentials' } });
  expect(world.takeEntries()).toMatchObject([{ action: 'auth.login', result: 'denied' }]);
  expect(await world.backend.sessions.listLive(user.id, world.now(), 10)).toStrictEqual([]);
});

test('a factor that is set up during the sign-in has to be proved', async () => {
  const { findByEmail } = world.backend.signIns;
  Object.assign(world.backend.signIns, {
    findByEmail: async (email: string) => {
      const account = await findByEmail(email);
      await world.backend.unitOfWork({ kind: 'system' }, (tx) =>
        tx.mfa.completeEnrollment(user.id, {
          secret: 'JBSWY3DPEHPK3PXP',
          step: 1,
          recoveryCodeSha256s: [],
        }),
      );
      return account;
    },
  });
  expect(await signIn()).toMatchObject({ ok: false, error: { code: 'invalid_mfa_code' } });
});

test('a burst from one address is stopped, and another address is not', async () => {
  const attempt = (i: number, ip: string) =>
    world.auth.signIn(
      { ...VISIT, ip },
      { email: `nobody-${i}@example.com`, password: 'x', code: undefined },
      'client',
    );
  const outcomes = await Promise.all(Array.from({ length: 15 }, (_, i) => attempt(i, '192.0.2.8')));
  const codes = outcomes.map((outcome) => (outcome.ok ? 'in' : outcome.error.code));
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(5);
  expect(await attempt(99, '192.0.2.9')).toMatchObject({ error: { code: 'invalid_credentials' } });
});

test('the audit log contains neither passwords nor tokens', async () => {
  const signedIn = await signIn();
  await signIn({ password: 'a wrong password' });
  if (!signedIn.ok) throw new Error('nobody signed in');
  const record = JSON.stringify(world.takeEntries());
  const secrets = [
    user.password,
    'a wrong password',
    signedIn.value.accessToken,
    signedIn.value.refreshToken,
  ];
  expect(secrets.filter((secret) => record.includes(secret))).toStrictEqual([]);
});
