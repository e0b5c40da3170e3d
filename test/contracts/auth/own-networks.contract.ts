/** What every store of the networks that people sign in from promises. */
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aUser, newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet, setStatus } from '#test/support/tenant.ts';

export function testOwnNetworks(backend: () => ContractBackend): void {
  const NETWORK = '192.0.2.0/24';

  async function addUser(): Promise<UserRecord> {
    const user = aUser();
    await loadFleet(backend(), [user]);
    return user;
  }

  const remember = ({ id }: UserRecord, network: string, at: EpochMs, forget: EpochMs = 0) =>
    backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.ownNetworks.remember(id, network, at, forget));

  const knows = async ({ id, email }: Pick<UserRecord, 'id' | 'email'>, network = NETWORK, since = 0) => {
    const { hasSignedInFrom } = backend();
    const [byId, byEmail] = [
      await hasSignedInFrom({ userId: id }, network, since),
      await hasSignedInFrom({ email: email.toUpperCase() }, network, since),
    ];
    expect(byEmail).toBe(byId);
    return byId;
  };

  describe('the networks that people sign in from', () => {
    test('are known by the id and by the email, in any case', async () => {
      const user = await addUser();
      expect(await knows(user)).toBe(false);
      await remember(user, NETWORK, SOME_INSTANT);
      expect(await knows(user)).toBe(true);
      expect(await knows(user, '198.51.100.0/24')).toBe(false);
    });

    test('are known for their own person only', async () => {
      const user = await addUser();
      await remember(user, NETWORK, SOME_INSTANT);
      expect(await knows(await addUser())).toBe(false);
      expect(await knows({ id: newId(), email: 'nobody@example.com' })).toBe(false);
    });

    test('count by the time of their last use', async () => {
      const user = await addUser();
      await remember(user, NETWORK, SOME_INSTANT);
      await remember(user, NETWORK, SOME_INSTANT + 5);
      await remember(user, NETWORK, SOME_INSTANT + 3);
      expect(await knows(user, NETWORK, SOME_INSTANT + 5)).toBe(true);
      expect(await knows(user, NETWORK, SOME_INSTANT + 6)).toBe(false);
    });

    test('are forgotten if their last use is too long ago', async () => {
      const [user, other] = [await addUser(), await addUser()];
      await remember(other, NETWORK, SOME_INSTANT);
      await remember(user, NETWORK, SOME_INSTANT);
      await remember(user, '198.51.100.0/24', SOME_INSTANT + 9, SOME_INSTANT);
      expect(await knows(user)).toBe(true);
      await remember(user, '198.51.100.0/24', SOME_INSTANT + 10, SOME_INSTANT + 1);
      expect([await knows(user), await knows(user, '198.51.100.0/24'), await knows(other)]).toStrictEqual([
        false,
        true,
        true,
      ]);
    });

    test('do not count while the person is disabled', async () => {
      const user = await addUser();
      await remember(user, NETWORK, SOME_INSTANT);
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => setStatus(tx, user.id, 'disabled'));
      expect(await knows(user)).toBe(false);
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => setStatus(tx, user.id, 'active'));
      expect(await knows(user)).toBe(true);
    });

    test('can be remembered by many transactions at once', async () => {
      const user = await addUser();
      await Promise.all(Array.from({ length: 8 }, (_, i) => remember(user, NETWORK, SOME_INSTANT + i)));
      expect(await knows(user, NETWORK, SOME_INSTANT + 7)).toBe(true);
    });

    test('are not remembered by a transaction that fails', async () => {
      const user = await addUser();
      const failing = backend().unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.ownNetworks.remember(user.id, NETWORK, SOME_INSTANT, 0);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await knows(user)).toBe(false);
    });

    test('are erased with the person', async () => {
      const user = await addUser();
      await remember(user, NETWORK, SOME_INSTANT);
      await backend().unitOfWork(SYSTEM_SCOPE, (tx) => tx.eraseAccount(user.id));
      expect(await knows(user)).toBe(false);
    });
  });
}
