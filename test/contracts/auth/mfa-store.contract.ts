/** What every store of second factors promises. */
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aUser, newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

export function testMfaStore(backend: () => ContractBackend): void {
  const transact = <T>(work: (tx: Transaction) => Promise<T>) => backend().unitOfWork(SYSTEM_SCOPE, work);

  async function addUser(given: Partial<UserRecord> = {}): Promise<UserRecord> {
    const user = aUser(given);
    await loadFleet(backend(), [user]);
    return user;
  }

  async function enroll(codes: readonly string[] = []): Promise<UserRecord> {
    const user = await addUser();
    await transact(async (tx) => {
      await tx.mfa.startEnrollment(user.id, { secret: 'NEW', startedAt: SOME_INSTANT });
      await tx.mfa.completeEnrollment(user.id, { secret: 'NEW', step: 100, recoveryCodeSha256s: codes });
    });
    return user;
  }

  describe('MfaWriter', () => {
    test('finds the factor that a user was loaded with', async () => {
      const { id } = await addUser({ totpSecret: 'JBSWY3DPEHPK3PXP' });
      expect(await transact((tx) => tx.mfa.findFactor(id))).toStrictEqual({
        secret: 'JBSWY3DPEHPK3PXP',
        epoch: 1,
      });
    });

    test('finds no factor of a user without one', async () => {
      const { id } = await addUser();
      expect(await transact((tx) => tx.mfa.findFactor(id))).toBeNull();
      expect(await transact((tx) => tx.mfa.findFactor(newId()))).toBeNull();
    });

    test('removes a factor with its codes and any enrollment, and voids earlier verifications', async () => {
      const { id } = await enroll(['code']);
      const before = await transact((tx) => tx.mfa.findFactor(id));
      await transact((tx) => tx.mfa.startEnrollment(id, { secret: 'NEXT', startedAt: SOME_INSTANT }));
      expect(await transact((tx) => tx.mfa.removeFactor(id))).toBe(true);
      expect(await transact((tx) => tx.mfa.findFactor(id))).toBeNull();
      expect(await transact((tx) => tx.mfa.findEnrollment(id))).toBeNull();
      expect(await transact((tx) => tx.mfa.takeRecoveryCode(id, 'code'))).toBe(false);
      const user = await backend().principals.findUser(id);
      expect(user).toMatchObject({ isMfaEnrolled: false, mfaEpoch: (before?.epoch ?? 0) + 1 });
      expect(await transact((tx) => tx.mfa.removeFactor(id))).toBe(false);
      expect(await transact((tx) => tx.mfa.removeFactor(newId()))).toBe(false);
      // A reset that finds no factor still voids links and unfinished steps.
      expect(await backend().principals.findUser(id)).toMatchObject({ mfaEpoch: (before?.epoch ?? 0) + 2 });
    });

    test('accepts a TOTP step once, and then only later steps', async () => {
      const { id } = await addUser();
      const outcomes: boolean[] = [];
      for (const step of [10, 10, 9, 11, 10, 12]) {
        outcomes.push(await transact((tx) => tx.mfa.takeStep(id, step)));
      }
      expect(outcomes).toStrictEqual([true, false, false, true, false, true]);
    });

    test('accepts a step for only one of many concurrent callers', async () => {
      const { id } = await addUser();
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => transact((tx) => tx.mfa.takeStep(id, 10))),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
    });

    test('does not use up a step if the transaction fails', async () => {
      const { id } = await addUser();
      await expect(
        transact(async (tx) => {
          await tx.mfa.takeStep(id, 10);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      expect(await transact((tx) => tx.mfa.takeStep(id, 10))).toBe(true);
    });

    test('keeps only the enrollment that was started last', async () => {
      const { id } = await addUser();
      expect(await transact((tx) => tx.mfa.findEnrollment(id))).toBeNull();
      for (const enrollment of [
        { secret: 'ONE', startedAt: SOME_INSTANT },
        { secret: 'TWO', startedAt: SOME_INSTANT + 1 },
      ]) {
        await transact((tx) => tx.mfa.startEnrollment(id, enrollment));
        expect(await transact((tx) => tx.mfa.findEnrollment(id))).toStrictEqual(enrollment);
      }
      expect(await transact((tx) => tx.mfa.findFactor(id))).toBeNull();
    });

    test('completes an enrollment: sets the secret, uses its step, raises the epoch', async () => {
      const { id } = await enroll();
      expect(await transact((tx) => tx.mfa.findFactor(id))).toStrictEqual({ secret: 'NEW', epoch: 2 });
      expect(await transact((tx) => tx.mfa.findEnrollment(id))).toBeNull();
      expect(await transact((tx) => tx.mfa.takeStep(id, 100))).toBe(false);
      expect(await transact((tx) => tx.mfa.takeStep(id, 101))).toBe(true);
      expect(await backend().principals.findUser(id)).toMatchObject({ isMfaEnrolled: true, mfaEpoch: 2 });
    });

    test('accepts each recovery code of the user once', async () => {
      const { id } = await enroll(['a', 'b']);
      const other = await enroll(['c']);
      const take = (code: string) => transact((tx) => tx.mfa.takeRecoveryCode(id, code));
      expect([await take('a'), await take('a'), await take('b'), await take('c')]).toStrictEqual([
        true,
        false,
        true,
        false,
      ]);
      expect(await transact((tx) => tx.mfa.takeRecoveryCode(other.id, 'c'))).toBe(true);
    });

    test('accepts a recovery code for only one of many concurrent callers', async () => {
      const { id } = await enroll(['a']);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => transact((tx) => tx.mfa.takeRecoveryCode(id, 'a'))),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
    });

    test('accepts only recovery codes of the last enrollment', async () => {
      const { id } = await enroll(['a']);
      await transact((tx) =>
        tx.mfa.completeEnrollment(id, { secret: 'NEWER', step: 200, recoveryCodeSha256s: ['b'] }),
      );
      expect(await transact((tx) => tx.mfa.takeRecoveryCode(id, 'a'))).toBe(false);
      expect(await transact((tx) => tx.mfa.takeRecoveryCode(id, 'b'))).toBe(true);
      expect(await transact((tx) => tx.mfa.findFactor(id))).toStrictEqual({ secret: 'NEWER', epoch: 3 });
    });

    test('accepts only new recovery codes after they are replaced, and keeps the factor', async () => {
      const { id } = await enroll(['a', 'b']);
      const other = await enroll(['c']);
      await transact((tx) => tx.mfa.replaceRecoveryCodes(id, ['b', 'd']));
      const take = (code: string) => transact((tx) => tx.mfa.takeRecoveryCode(id, code));
      expect([await take('a'), await take('b'), await take('b'), await take('d')]).toStrictEqual([
        false,
        true,
        false,
        true,
      ]);
      expect(await transact((tx) => tx.mfa.findFactor(id))).toStrictEqual({ secret: 'NEW', epoch: 2 });
      expect(await transact((tx) => tx.mfa.takeRecoveryCode(other.id, 'c'))).toBe(true);
      const ofNobody = transact((tx) => tx.mfa.replaceRecoveryCodes(newId(), ['e']));
      await expect(ofNobody).rejects.toThrow('no active user');
    });

    test('drops factor, enrollment and recovery codes when the user is loaded again', async () => {
      const user = await enroll(['a']);
      await transact((tx) => tx.mfa.startEnrollment(user.id, { secret: 'X', startedAt: SOME_INSTANT }));
      await loadFleet(backend(), [{ ...user, totpSecret: 'JBSWY3DPEHPK3PXP' }]);
      expect(await transact((tx) => tx.mfa.findFactor(user.id))).toMatchObject({
        secret: 'JBSWY3DPEHPK3PXP',
      });
      expect(await transact((tx) => tx.mfa.findEnrollment(user.id))).toBeNull();
      expect(await transact((tx) => tx.mfa.takeRecoveryCode(user.id, 'a'))).toBe(false);
    });
  });
}
