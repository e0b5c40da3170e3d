/** What every store of accounts promises. */
import { createHash } from 'node:crypto';
import type { AccountRefusal } from '#application/ports/auth/stores/account-store.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import { err, ok } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anApiKey, aUser, newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

export function testAccountStore(backend: () => ContractBackend): void {
  const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');

  describe('AccountStore.createUser', () => {
    test('creates a user who can be found by id and by email', async () => {
      const { orgId } = await createTenant(backend());
      const user = aUser({
        membership: { scope: 'organization', orgId },
        permissions: ['users:write'],
        isPlatformAdmin: true,
        totpSecret: 'JBSWY3DPEHPK3PXP',
      });
      expect(await backend().accounts.createUser(user)).toStrictEqual(ok(undefined));
      const found = await backend().principals.findUser(user.id);
      expect(found).toStrictEqual({
        userId: user.id,
        scope: { kind: 'organization', orgId },
        permissions: new Set(['users:write']),
        isPlatformAdmin: true,
        authEpoch: found?.authEpoch,
        isMfaEnrolled: true,
        mfaEpoch: 1,
        endedSessionIds: new Set(),
      });
      expect(await backend().accounts.findUserByEmail(user.email)).toBe(user.id);
    });

    test.each([
      ['unchanged', (email: string) => email],
      ['in capitals', (email: string) => email.toUpperCase()],
    ])('refuses the email of an active user, %s', async (_what, change) => {
      const user = aUser();
      await backend().accounts.createUser(user);
      const twin = aUser({ email: change(user.email) });
      expect(await backend().accounts.createUser(twin)).toStrictEqual(err('email-taken'));
      expect(await backend().principals.findUser(twin.id)).toBeNull();
      expect(await backend().accounts.findUserByEmail(user.email)).toBe(user.id);
    });

    test('refuses the email of a user who was loaded with a fleet', async () => {
      const user = aUser();
      await loadFleet(backend(), [user]);
      expect(await backend().accounts.createUser(aUser({ email: user.email }))).toStrictEqual(
        err('email-taken'),
      );
    });

    test.each<[string, (tenant: Tenant, other: Tenant) => Membership, AccountRefusal]>([
      ['an unknown organization', () => ({ scope: 'organization', orgId: newId() }), 'unknown-organization'],
      [
        'an unknown partner',
        () => ({ scope: 'partner', partnerId: newId(), orgIds: null }),
        'unknown-partner',
      ],
      [
        'a subset with an unknown organization',
        ({ partnerId, orgId }) => ({ scope: 'partner', partnerId, orgIds: [orgId, newId()] }),
        'unknown-organization',
      ],
      [
        "a subset with another partner's organization",
        ({ partnerId, orgId }, other) => ({ scope: 'partner', partnerId, orgIds: [orgId, other.orgId] }),
        'unknown-organization',
      ],
    ])('refuses a user of %s', async (_what, membershipOf, refusal) => {
      const user = aUser({
        membership: membershipOf(await createTenant(backend()), await createTenant(backend())),
      });
      expect(await backend().accounts.createUser(user)).toStrictEqual(err(refusal));
      expect(await backend().principals.findUser(user.id)).toBeNull();
      expect(await backend().accounts.findUserByEmail(user.email)).toBeNull();
    });

    test('accepts only one of two concurrent users with the same email', async () => {
      const first = aUser();
      const second = aUser({ email: first.email.toUpperCase() });
      const outcomes = await Promise.all([first, second].map((user) => backend().accounts.createUser(user)));
      expect(outcomes.filter(({ ok: isOk }) => isOk)).toHaveLength(1);
      expect(outcomes.filter(({ ok: isOk }) => !isOk)).toStrictEqual([err('email-taken')]);
      const winner = outcomes[0]?.ok ? first : second;
      expect(await backend().accounts.findUserByEmail(first.email)).toBe(winner.id);
    });
  });

  describe('AccountStore.createApiKey', () => {
    test('creates a key that is found by its SHA-256', async () => {
      const { orgId } = await createTenant(backend());
      const user = aUser();
      await backend().accounts.createUser(user);
      const key = anApiKey({
        userId: user.id,
        orgId,
        permissions: ['filters:read'],
        expiresAt: SOME_INSTANT,
      });
      expect(await backend().accounts.createApiKey(key)).toStrictEqual(ok(undefined));
      expect(await backend().principals.findApiKey(sha256(key.key))).toStrictEqual({
        grant: {
          id: key.id,
          orgId,
          permissions: new Set(['filters:read']),
          expiresAt: SOME_INSTANT,
          isRevoked: false,
        },
        user: await backend().principals.findUser(user.id),
      });
    });

    test('refuses a key of an unknown user', async () => {
      const key = anApiKey({ userId: newId() });
      expect(await backend().accounts.createApiKey(key)).toStrictEqual(err('unknown-user'));
      expect(await backend().principals.findApiKey(sha256(key.key))).toBeNull();
    });

    test('refuses a key for an unknown organization', async () => {
      const user = aUser();
      await backend().accounts.createUser(user);
      const key = anApiKey({ userId: user.id, orgId: newId() });
      expect(await backend().accounts.createApiKey(key)).toStrictEqual(err('unknown-organization'));
      expect(await backend().principals.findApiKey(sha256(key.key))).toBeNull();
    });
  });

  describe('AccountStore.findUserByEmail', () => {
    test.each([
      ['as it was given', (email: string) => email],
      ['in capitals', (email: string) => email.toUpperCase()],
      ['in small letters', (email: string) => email.toLowerCase()],
    ])('finds a user by the email %s', async (_how, change) => {
      const user = aUser({ email: `Sam.Example-${newId()}@Example.COM` });
      await backend().accounts.createUser(user);
      expect(await backend().accounts.findUserByEmail(change(user.email))).toBe(user.id);
    });

    test.each([
      ['an email that nobody has', () => `nobody-${newId()}@example.com`],
      ['part of an email', (email: string) => email.slice(0, -1)],
      ['a wildcard', () => '%'],
      ['nothing', () => ''],
    ])('finds nobody by %s', async (_what, change) => {
      const user = aUser();
      await backend().accounts.createUser(user);
      expect(await backend().accounts.findUserByEmail(change(user.email))).toBeNull();
    });

    test('finds a user by the new email only, once it has changed', async () => {
      const user = aUser();
      await backend().accounts.createUser(user);
      const email = `renamed-${user.email}`;
      await loadFleet(backend(), [{ ...user, email }]);
      expect(await backend().accounts.findUserByEmail(email)).toBe(user.id);
      expect(await backend().accounts.findUserByEmail(user.email)).toBeNull();
    });
  });

  describe('AccountStore.listApiKeys', () => {
    test('lists the keys of all users with their emails, newest first, without revoked ones', async () => {
      const [one, other] = [aUser(), aUser()];
      await loadFleet(backend(), [one, other]);
      const keys = [
        anApiKey({ userId: one.id, name: 'a', permissions: [], expiresAt: SOME_INSTANT }),
        anApiKey({ userId: other.id, name: 'b' }),
        anApiKey({ userId: one.id, name: 'gone' }),
      ];
      for (const [i, key] of keys.entries()) {
        await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.apiKeys.add(key, SOME_INSTANT + i));
      }
      const gone = keys.at(-1)?.id ?? newId();
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.apiKeys.revoke(one.id, gone, SOME_INSTANT));
      const listed = (await backend().accounts.listApiKeys()).filter(
        ({ user }) => user.id === one.id || user.id === other.id,
      );
      expect(listed).toMatchObject([
        { name: 'b', user: { id: other.id, email: other.email }, createdAt: SOME_INSTANT + 1 },
        { name: 'a', user: { id: one.id, email: one.email }, expiresAt: SOME_INSTANT, permissions: [] },
      ]);
      expect(JSON.stringify(listed)).not.toContain(keys[0]?.key);
    });
  });

  describe('AccountStore.listUsers and findAccounts', () => {
    test('list the users of an organization by email, without the staff of its partner', async () => {
      const { orgId, partnerId, userId } = await createTenant(backend());
      const stamp = newId();
      const member = aUser({
        email: `B-${stamp}@example.com`,
        name: 'B',
        membership: { scope: 'organization', orgId },
        permissions: ['users:write', 'devices:write'],
        totpSecret: 'JBSWY3DPEHPK3PXP',
      });
      const first = aUser({ email: `a-${stamp}@example.com`, membership: { scope: 'organization', orgId } });
      const staff = aUser({ membership: { scope: 'partner', partnerId, orgIds: [orgId] } });
      await loadFleet(backend(), [member, first, staff]);
      const listed = await backend().accounts.listUsers(orgId);
      const ours = listed.filter(({ id }) => id !== userId);
      expect(ours.map(({ id }) => id)).toStrictEqual([first.id, member.id]);
      expect(ours[1]).toStrictEqual({
        id: member.id,
        email: member.email,
        name: 'B',
        status: 'active',
        membership: { scope: 'organization', orgId },
        permissions: ['devices:write', 'users:write'],
        isPlatformAdmin: member.isPlatformAdmin,
        isMfaEnrolled: true,
      });
      const all = await backend().accounts.listUsers(null);
      expect(all.map(({ id }) => id)).toEqual(
        expect.arrayContaining([userId, first.id, member.id, staff.id]),
      );
      expect(await backend().accounts.findAccounts(staff.email.toUpperCase())).toMatchObject([
        { id: staff.id, membership: { scope: 'partner', partnerId, orgIds: [orgId] } },
      ]);
    });

    test('leave out erased users', async () => {
      const user = aUser();
      await loadFleet(backend(), [user]);
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(user.id));
      expect(await backend().accounts.findAccounts(user.email)).toStrictEqual([]);
    });
  });
}
