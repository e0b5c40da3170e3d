/**
 * What every store of signing keys promises. A store has one set of keys, so the suite adds only real ones, which
 * do no harm, and removes only its own.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { SigningKey } from '#application/ports/auth/stores/signing-key-store.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { newId } from '#test/support/builders.ts';

/** Later than every key: with it, a key is always added. */
const NEVER_YET = Date.UTC(9000, 0);

/** Older than every real key. */
const LONG_AGO = Date.UTC(1990, 0);

export function testSigningKeyStore(backend: () => ContractBackend): void {
  const aKey = (createdAt: number): SigningKey => ({
    kid: newId(),
    privateJwk: generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Record<string, string>,
    createdAt,
  });

  /** An instant after that of the newest key. */
  const nextInstant = async () =>
    Math.max(Date.UTC(2026, 0), ...(await backend().signingKeys.list()).map(({ createdAt }) => createdAt)) +
    1000;

  const listOnly = async (...keys: readonly SigningKey[]) => {
    const kids = new Set(keys.map(({ kid }) => kid));
    return (await backend().signingKeys.list()).filter(({ kid }) => kids.has(kid));
  };

  describe('SigningKeyStore', () => {
    test('lists an added key unchanged', async () => {
      const key = aKey(await nextInstant());
      expect(await backend().signingKeys.add(key, key.createdAt)).toBe(true);
      expect(await listOnly(key)).toStrictEqual([key]);
    });

    test('lists the newest first, in whatever order they were added', async () => {
      const keys = [LONG_AGO + 2, LONG_AGO + 3, LONG_AGO + 1].map(aKey);
      for (const key of keys) await backend().signingKeys.add(key, NEVER_YET);
      const listed = (await listOnly(...keys)).map(({ createdAt }) => createdAt);
      expect(listed).toStrictEqual([LONG_AGO + 3, LONG_AGO + 2, LONG_AGO + 1]);
      const all = (await backend().signingKeys.list()).map(({ createdAt }) => createdAt);
      expect(all).toStrictEqual(all.toSorted((a, b) => b - a));
    });

    test.each([
      ['adds no key if one was added at that instant', 0, false],
      ['adds no key if one was added after that instant', 1, false],
      ['adds a key if the last one was added before that instant', -1, true],
    ])('%s', async (_what, offset, isAdded) => {
      const since = (await nextInstant()) + 1;
      const earlier = aKey(since + offset);
      await backend().signingKeys.add(earlier, NEVER_YET);
      const key = aKey(since + 1);
      expect(await backend().signingKeys.add(key, since)).toBe(isAdded);
      expect(await listOnly(key)).toStrictEqual(isAdded ? [key] : []);
    });

    test('lets only one of two instances that rotate at once add its key', async () => {
      const since = await nextInstant();
      const keys = [aKey(since), aKey(since)];
      const added = await Promise.all(keys.map((key) => backend().signingKeys.add(key, since)));
      expect(added.toSorted()).toStrictEqual([false, true]);
      expect(await listOnly(...keys)).toStrictEqual(keys.filter((_, i) => added[i]));
    });

    test('removes the keys created before an instant, and no other', async () => {
      const before = aKey(LONG_AGO - 1000);
      const at = aKey(LONG_AGO - 999);
      for (const key of [before, at]) await backend().signingKeys.add(key, NEVER_YET);
      await backend().signingKeys.removeCreatedBefore(LONG_AGO - 999);
      expect(await listOnly(before, at)).toStrictEqual([at]);
    });

    test('is not affected by changes to a key object that was passed in or listed', async () => {
      const key = aKey(await nextInstant());
      const before = structuredClone(key);
      await backend().signingKeys.add(key, NEVER_YET);
      Reflect.set(key.privateJwk, 'd', 'changed');
      const [listed] = await listOnly(key);
      Reflect.set(listed ?? {}, 'createdAt', 0);
      Reflect.set(listed?.privateJwk ?? {}, 'd', 'changed');
      expect(await listOnly(key)).toStrictEqual([before]);
    });
  });
}
