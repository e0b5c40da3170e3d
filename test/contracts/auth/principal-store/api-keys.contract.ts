/** What every store of principals promises of API keys. */
import { createHash } from 'node:crypto';
import { callerOfApiKey } from '#domain/access/api-key.ts';
import type { UserId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anApiKey, aUser, SOME_INSTANT } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

export function testPrincipalApiKeys(backend: () => ContractBackend): void {
  const findUser = async (id: UserId) => {
    const found = await backend().principals.findUser(id);
    if (found === null) throw new Error(`there is no user ${id}`);
    return found;
  };

  const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');

  describe('PrincipalStore.findApiKey', () => {
    test('gives the grant and its user', async () => {
      const { orgId } = await createTenant(backend());
      const user = aUser({ permissions: ['users:write'] });
      const key = anApiKey({
        userId: user.id,
        orgId,
        permissions: ['filters:read', 'users:write'],
        expiresAt: SOME_INSTANT,
      });
      await loadFleet(backend(), [user, key]);
      const found = await backend().principals.findApiKey(sha256(key.key));
      expect(found).toStrictEqual({
        grant: {
          id: key.id,
          orgId,
          permissions: new Set(['filters:read', 'users:write']),
          expiresAt: SOME_INSTANT,
          isRevoked: false,
        },
        user: await findUser(user.id),
      });
    });

    test('gives a key without organization, permissions or expiry', async () => {
      const user = aUser();
      const key = anApiKey({ userId: user.id });
      await loadFleet(backend(), [user, key]);
      expect((await backend().principals.findApiKey(sha256(key.key)))?.grant).toStrictEqual({
        id: key.id,
        orgId: null,
        permissions: new Set(),
        expiresAt: null,
        isRevoked: false,
      });
    });

    test('gives an expired key, which no longer makes anybody a caller', async () => {
      const user = aUser();
      const key = anApiKey({ userId: user.id, expiresAt: SOME_INSTANT });
      await loadFleet(backend(), [user, key]);
      const found = await backend().principals.findApiKey(sha256(key.key));
      expect(found?.grant.expiresAt).toBe(SOME_INSTANT);
      if (found === null) throw new Error('the key is gone');
      expect(callerOfApiKey(found.grant, found.user, SOME_INSTANT - 1)).not.toBeNull();
      expect(callerOfApiKey(found.grant, found.user, SOME_INSTANT)).toBeNull();
    });

    test.each([
      ['an unknown key', (key: string) => sha256(`${key}x`)],
      ['the key itself instead of its hash', (key: string) => key],
      ['no hash at all', () => ''],
    ])('gives null for %s', async (_what, presented) => {
      const user = aUser();
      const key = anApiKey({ userId: user.id });
      await loadFleet(backend(), [user, key]);
      expect(await backend().principals.findApiKey(presented(key.key))).toBeNull();
    });

    test('no longer finds a key that another has replaced', async () => {
      const user = aUser();
      const key = anApiKey({ userId: user.id });
      await loadFleet(backend(), [user, key]);
      const next = anApiKey({ userId: user.id, id: key.id });
      await loadFleet(backend(), [next]);
      expect(await backend().principals.findApiKey(sha256(key.key))).toBeNull();
      expect((await backend().principals.findApiKey(sha256(next.key)))?.grant.id).toBe(key.id);
    });

    test('gives a key the current membership of its user', async () => {
      const { orgId } = await createTenant(backend());
      const user = aUser();
      const key = anApiKey({ userId: user.id });
      await loadFleet(backend(), [user, key]);
      await loadFleet(backend(), [{ ...user, membership: { scope: 'organization', orgId } }]);
      expect((await backend().principals.findApiKey(sha256(key.key)))?.user.scope).toStrictEqual({
        kind: 'organization',
        orgId,
      });
    });
  });
}
