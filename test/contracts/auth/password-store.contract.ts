/** What every store of passwords promises. */
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aSession, aUser, newId, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

export function testPasswordStore(backend: () => ContractBackend): void {
  const transact = <T>(work: (tx: Transaction) => Promise<T>) => backend().unitOfWork(SYSTEM_SCOPE, work);
  const epochOf = (id: UserId) => transact((tx) => tx.passwords.holdEpoch(id));

  async function addUser(): Promise<UserId> {
    const user = aUser();
    await loadFleet(backend(), [user]);
    return user.id;
  }

  describe('PasswordWriter', () => {
    test('changes only the password of one user, and raises the password epoch', async () => {
      const [id, other] = [await addUser(), await addUser()];
      const read = async (of: UserId) => backend().signIns.findById(of);
      const before = [await read(id), await read(other)];
      expect(before[0]).toMatchObject({ passwordEpoch: 1 });
      await transact((tx) => tx.passwords.change(id, 'another hash'));
      expect([await read(id), await read(other)]).toStrictEqual([
        { ...before[0], passwordHash: 'another hash', passwordEpoch: 2 },
        before[1],
      ]);
      expect([await epochOf(id), await epochOf(other)]).toStrictEqual([2, 1]);
    });

    test('does not change sessions', async () => {
      const userId = await addUser();
      const token = `token-${newId()}`;
      await transact((tx) => tx.sessions.add(aSession({ userId }), token));
      await transact((tx) => tx.passwords.change(userId, 'another hash'));
      const found = await transact((tx) => tx.sessions.findRefreshToken(token));
      expect(found).toMatchObject({ userAuthEpoch: 1, session: { authEpoch: 1, endedAt: null } });
    });

    test('has no epoch for unknown or erased people, and refuses to change their passwords', async () => {
      const nobody = newId<'user'>();
      const erased = await addUser();
      await transact((tx) => tx.eraseAccount(erased));
      for (const id of [nobody, erased]) {
        expect(await epochOf(id)).toBeNull();
        await expect(transact((tx) => tx.passwords.change(id, 'x'))).rejects.toThrow('no active user');
      }
    });

    test('does nothing if the transaction fails', async () => {
      const id = await addUser();
      const work = transact(async (tx) => {
        await tx.passwords.change(id, 'another hash');
        throw new Error('no');
      });
      await expect(work).rejects.toThrow('no');
      expect(await epochOf(id)).toBe(1);
    });

    test('lets only one of many concurrent callers with the same epoch change the password', async () => {
      const id = await addUser();
      const changeFirst = () =>
        transact(async (tx) => {
          if ((await tx.passwords.holdEpoch(id)) !== 1) return false;
          await tx.passwords.change(id, 'another hash');
          return true;
        });
      const outcomes = await Promise.all(Array.from({ length: 8 }, changeFirst));
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await epochOf(id)).toBe(2);
    });

    test('changes no password within a scope narrower than the system', async () => {
      const { orgId, userId } = await createTenant(backend());
      const change = backend().unitOfWork(orgScope(orgId), (tx) => tx.passwords.change(userId, 'x'));
      await change.catch(() => undefined);
      expect((await backend().signIns.findById(userId))?.passwordHash).not.toBe('x');
    });
  });
}
