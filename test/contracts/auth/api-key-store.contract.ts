/** What every store of API keys promises to the users who make them. */
import { createHash } from 'node:crypto';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anApiKey, aUser, newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

export function testApiKeyStore(backend: () => ContractBackend): void {
  const transact = <T>(work: (tx: Transaction) => Promise<T>) => backend().unitOfWork(SYSTEM_SCOPE, work);
  const grantOf = async ({ key }: ApiKeyRecord) =>
    (await backend().principals.findApiKey(createHash('sha256').update(key).digest('hex')))?.grant ?? null;

  async function addUser() {
    const user = aUser();
    await loadFleet(backend(), [user]);
    return user;
  }

  describe('ApiKeyWriter and ApiKeyReader', () => {
    test('an added key is valid, and is listed without its secret', async () => {
      const { id: userId } = await addUser();
      const { orgId } = await createTenant(backend());
      const key = anApiKey({ userId, orgId, permissions: ['users:write'], expiresAt: SOME_INSTANT });
      await transact((tx) => tx.apiKeys.add(key, SOME_INSTANT - 5));
      expect(await backend().apiKeys.list(userId)).toStrictEqual([
        {
          id: key.id,
          name: key.name,
          orgId,
          permissions: ['users:write'],
          expiresAt: SOME_INSTANT,
          createdAt: SOME_INSTANT - 5,
        },
      ]);
      expect(await grantOf(key)).toMatchObject({ id: key.id, isRevoked: false });
    });

    test('lists the user’s own keys, newest first', async () => {
      const { id: userId } = await addUser();
      const keys = [anApiKey({ userId }), anApiKey({ userId }), anApiKey({ userId })];
      const [first, second, third] = keys.map(({ id }) => id);
      for (const [i, key] of keys.entries()) {
        await transact((tx) => tx.apiKeys.add(key, SOME_INSTANT + (i === 0 ? 0 : 1)));
      }
      const others = anApiKey({ userId: (await addUser()).id });
      await transact((tx) => tx.apiKeys.add(others, SOME_INSTANT));
      expect((await backend().apiKeys.list(userId)).map(({ id }) => id)).toStrictEqual([
        third,
        second,
        first,
      ]);
    });

    test('a revoked key is no longer valid, and is not listed', async () => {
      const { id: userId } = await addUser();
      const [key, other] = [anApiKey({ userId }), anApiKey({ userId })];
      await transact(async (tx) => {
        await tx.apiKeys.add(key, SOME_INSTANT);
        await tx.apiKeys.add(other, SOME_INSTANT);
      });
      const revoke = () => transact((tx) => tx.apiKeys.revoke(userId, key.id, SOME_INSTANT));
      expect([await revoke(), await revoke()]).toStrictEqual([{ name: key.name }, null]);
      expect(await grantOf(key)).toMatchObject({ isRevoked: true });
      expect((await backend().apiKeys.list(userId)).map(({ id }) => id)).toStrictEqual([other.id]);
    });

    test('a revoked key stays revoked when it is loaded again', async () => {
      const user = await addUser();
      const key = anApiKey({ userId: user.id });
      await loadFleet(backend(), [key]);
      await transact((tx) => tx.apiKeys.revoke(user.id, key.id, SOME_INSTANT));
      await loadFleet(backend(), [key]);
      expect(await grantOf(key)).toMatchObject({ isRevoked: true });
    });

    test('does not revoke another user’s key', async () => {
      const { id: userId } = await addUser();
      const { id: otherId } = await addUser();
      const key = anApiKey({ userId });
      await transact((tx) => tx.apiKeys.add(key, SOME_INSTANT));
      expect(await transact((tx) => tx.apiKeys.revoke(otherId, key.id, SOME_INSTANT))).toBeNull();
      expect(await transact((tx) => tx.apiKeys.revoke(userId, newId(), SOME_INSTANT))).toBeNull();
      expect(await grantOf(key)).toMatchObject({ isRevoked: false });
    });

    test('adds nothing if the transaction fails', async () => {
      const { id: userId } = await addUser();
      const key = anApiKey({ userId });
      await expect(
        transact(async (tx) => {
          await tx.apiKeys.add(key, SOME_INSTANT);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await grantOf(key)).toBeNull();
      expect(await backend().apiKeys.list(userId)).toStrictEqual([]);
    });
  });
}
