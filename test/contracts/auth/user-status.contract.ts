/** What every store of users' status promises. */
import { createHash } from 'node:crypto';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anApiKey, aUser, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

export function testUserStatus(backend: () => ContractBackend): void {
  const transact = <T>(work: (tx: Transaction) => Promise<T>) => backend().unitOfWork(SYSTEM_SCOPE, work);

  async function addUser(given: Partial<UserRecord> = {}): Promise<UserRecord> {
    const user = aUser(given);
    await loadFleet(backend(), [user]);
    return user;
  }

  describe('UserStatusWriter', () => {
    test('disables a user, who is not found any more and whose tokens are void, and enables them again', async () => {
      const user = await addUser();
      const before = await backend().principals.findUser(user.id);
      expect(await transact((tx) => tx.userStatus.disable(user.id))).toBe(true);
      expect(await backend().principals.findUser(user.id)).toBeNull();
      expect(await backend().signIns.findByEmail(user.email)).toBeNull();
      expect(await backend().accounts.findAccounts(user.email)).toMatchObject([
        { id: user.id, status: 'disabled' },
      ]);
      expect(await transact((tx) => tx.userStatus.enable(user.id))).toBe(true);
      const after = await backend().principals.findUser(user.id);
      expect(after).toStrictEqual({ ...before, authEpoch: (before?.authEpoch ?? 0) + 2 });
    });

    test('stops the keys of whoever is disabled, until they are enabled', async () => {
      const user = await addUser();
      const key = anApiKey({ userId: user.id, key: `fsk_${newId()}` });
      await loadFleet(backend(), [key]);
      const sha256 = createHash('sha256').update(key.key).digest('hex');
      const findKey = async () => (await backend().principals.findApiKey(sha256))?.grant.id ?? null;
      expect(await findKey()).toBe(key.id);
      await transact((tx) => tx.userStatus.disable(user.id));
      expect(await findKey()).toBeNull();
      const refused = await backend().accounts.createApiKey(
        anApiKey({ userId: user.id, key: `fsk_${newId()}` }),
      );
      expect(refused).toMatchObject({ ok: false, error: 'unknown-user' });
      await transact((tx) => tx.userStatus.enable(user.id));
      expect(await findKey()).toBe(key.id);
    });

    test('changes nothing of whom it does not concern', async () => {
      const { id } = await addUser();
      const erased = await addUser();
      await transact((tx) => tx.eraseAccount(erased.id));
      expect(await transact((tx) => tx.userStatus.enable(id))).toBe(false);
      for (const nobody of [newId<'user'>(), erased.id]) {
        expect(await transact((tx) => tx.userStatus.disable(nobody))).toBe(false);
        expect(await transact((tx) => tx.userStatus.enable(nobody))).toBe(false);
      }
      await transact((tx) => tx.userStatus.disable(id));
      expect(await transact((tx) => tx.userStatus.disable(id))).toBe(false);
    });

    test('does not enable a user whose email somebody else has by now', async () => {
      const user = await addUser();
      await transact((tx) => tx.userStatus.disable(user.id));
      const other = await addUser({ email: user.email.toUpperCase() });
      expect(await transact((tx) => tx.userStatus.enable(user.id))).toBe('email-taken');
      expect(await backend().accounts.findUserByEmail(user.email)).toBe(other.id);
    });

    test('does nothing where the transaction fails', async () => {
      const { id } = await addUser();
      const work = transact(async (tx) => {
        await tx.userStatus.disable(id);
        throw new Error('no');
      });
      await expect(work).rejects.toThrow('no');
      expect(await backend().principals.findUser(id)).not.toBeNull();
    });
  });
}
