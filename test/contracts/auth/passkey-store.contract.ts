/** What every store of passkeys promises. */
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { Passkey } from '#domain/access/passkey.ts';
import type { UserId } from '#domain/ids.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aPasskey, aUser, newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet, setStatus } from '#test/support/tenant.ts';

export function testPasskeyStore(backend: () => ContractBackend): void {
  const transact = <T>(work: (tx: Transaction) => Promise<T>) => backend().unitOfWork(SYSTEM_SCOPE, work);
  const find = (passkey: Passkey) => backend().passkeys.find(passkey.credentialId);

  async function addUser(totpSecret: string | null = null): Promise<UserId> {
    const user = aUser({ totpSecret });
    await loadFleet(backend(), [user]);
    return user.id;
  }

  async function add(given: Partial<Passkey> = {}): Promise<Passkey> {
    const passkey = aPasskey({ userId: given.userId ?? (await addUser()), ...given });
    expect(await transact((tx) => tx.passkeys.add(passkey))).toBe(true);
    return passkey;
  }

  describe('PasskeyReader', () => {
    test("lists a user's own passkeys, oldest first, and finds each by its credential", async () => {
      const userId = await addUser();
      const later = await add({ userId, createdAt: SOME_INSTANT + 1, transports: ['usb', 'nfc'] });
      const first = await add({ userId, counter: 4_294_967_295, lastUsedAt: SOME_INSTANT });
      await add();
      expect(await backend().passkeys.list(userId)).toStrictEqual([first, later]);
      expect(await find(later)).toStrictEqual(later);
      expect(await backend().passkeys.find('unknown')).toBeNull();
    });

    test('has no passkeys of a disabled or erased user', async () => {
      for (const leave of [
        (tx: Transaction, userId: UserId) => setStatus(tx, userId, 'disabled'),
        (tx: Transaction, userId: UserId) => tx.eraseAccount(userId),
      ]) {
        const passkey = await add();
        await transact(async (tx) => void (await leave(tx, passkey.userId)));
        expect(await find(passkey)).toBeNull();
        expect(await backend().passkeys.list(passkey.userId)).toStrictEqual([]);
      }
    });
  });

  describe('PasskeyWriter', () => {
    test('adding a passkey gives its user a second factor', async () => {
      const { userId } = await add();
      expect(await backend().principals.findUser(userId)).toMatchObject({ isMfaEnrolled: true, mfaEpoch: 1 });
      expect(await transact((tx) => tx.mfa.findFactor(userId))).toStrictEqual({ secret: null, epoch: 1 });
    });

    test('adds a credential once, even if many add it at once', async () => {
      const users = await Promise.all(Array.from({ length: 10 }, () => addUser()));
      const credentialId = newId();
      const added = await Promise.all(
        users.map((userId) => transact((tx) => tx.passkeys.add(aPasskey({ userId, credentialId })))),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
    });

    test('records a use only if the counter has grown, or has always been 0', async () => {
      const counting = await add({ counter: 5 });
      const plain = await add({ counter: 0 });
      const use = ({ id }: Passkey, counter: number) =>
        transact((tx) => tx.passkeys.use(id, { counter, isBackedUp: true, at: SOME_INSTANT + counter }));
      expect([await use(counting, 5), await use(counting, 0), await use(counting, 6)]).toStrictEqual([
        false,
        false,
        true,
      ]);
      expect([
        await use(plain, 0),
        await use(plain, 0),
        await use(aPasskey({ userId: counting.userId }), 7),
      ]).toStrictEqual([true, true, false]);
      expect(await find(counting)).toMatchObject({
        counter: 6,
        isBackedUp: true,
        lastUsedAt: SOME_INSTANT + 6,
      });
    });

    test('accepts a counter for only one of many concurrent callers', async () => {
      const { id } = await add({ counter: 1 });
      const uses = await Promise.all(
        Array.from({ length: 10 }, () =>
          transact((tx) => tx.passkeys.use(id, { counter: 2, isBackedUp: false, at: SOME_INSTANT })),
        ),
      );
      expect(uses.filter(Boolean)).toHaveLength(1);
    });

    test('removes only the user’s own passkeys, and voids codes and verifications with the last one', async () => {
      const userId = await addUser();
      const [one, two] = [await add({ userId, name: 'One' }), await add({ userId })];
      const stranger = await add();
      await transact((tx) => tx.mfa.replaceRecoveryCodes(userId, ['code']));
      expect(await transact((tx) => tx.passkeys.remove(userId, stranger.id))).toBeNull();
      expect(await transact((tx) => tx.passkeys.remove(userId, one.id))).toStrictEqual({ name: 'One' });
      expect(await transact((tx) => tx.passkeys.hold(userId))).toStrictEqual([two]);
      expect(await backend().principals.findUser(userId)).toMatchObject({ isMfaEnrolled: true, mfaEpoch: 1 });
      await transact((tx) => tx.passkeys.remove(userId, two.id));
      expect(await transact((tx) => tx.mfa.takeRecoveryCode(userId, 'code'))).toBe(false);
      expect(await backend().principals.findUser(userId)).toMatchObject({
        isMfaEnrolled: false,
        mfaEpoch: 2,
      });
      expect(await find(stranger)).toStrictEqual(stranger);
    });

    test('keeps codes and verifications of a user with an authenticator app', async () => {
      const { id, userId } = await add({ userId: await addUser('JBSWY3DPEHPK3PXP') });
      await transact((tx) => tx.mfa.replaceRecoveryCodes(userId, ['code']));
      await transact((tx) => tx.passkeys.remove(userId, id));
      expect(await transact((tx) => tx.mfa.takeRecoveryCode(userId, 'code'))).toBe(true);
      expect(await backend().principals.findUser(userId)).toMatchObject({ isMfaEnrolled: true, mfaEpoch: 1 });
    });

    test('removing the factors of a user removes their passkeys', async () => {
      const passkey = await add();
      expect(await transact((tx) => tx.mfa.removeFactor(passkey.userId))).toBe(true);
      expect(await find(passkey)).toBeNull();
    });
  });
}
