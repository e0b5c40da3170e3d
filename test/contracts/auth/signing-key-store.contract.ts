/**
 * What every store of signing keys promises. There is one set of keys in a store, so the suite adds real ones
 * only, which hurt nobody, and removes none but its own.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { SigningKey } from '#application/ports/auth/stores/signing-key-store.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { newId } from '#test/support/builders.ts';

/** Later than every key: with it, a key is added whatever there is. */
const NEVER_YET = Date.UTC(9000, 0);

/** Older than every real key. */
const LONG_AGO = Date.UTC(1990, 0);

export function testSigningKeyStore(backend: () => ContractBackend): void {
  const aKey = (createdAt: number): SigningKey => ({
    kid: newId(),
    privateJwk: generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as Record<string, string>,
    createdAt,
  });

  /** An instant after that of every key there is. */
  const nextInstant = async () =>
    Math.max(Date.UTC(2026, 0), ...(await backend().signingKeys.list()).map(({ createdAt }) => createdAt)) +
    1000;

  const listOnly = async (...keys: readonly SigningKey[]) => {
    const kids = new Set(keys.map(({ kid }) => kid));
    return (await backend().signingKeys.list()).filter(({ kid }) => kids.has(kid));
  };

  describe('SigningKeyStore', () => {
    test('lists an added key as it was', async () => {
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
      ['adds none where one was added at that instant', 0, false],
      ['adds none where one was added after it', 1, false],
      ['adds one where the last was added before it', -1, true],
    ])('%s', async (_what, offset, isAdded) => {
      const since = (await nextInstant()) + 1;
      const earlier = aKey(since + offset);
      await backend().signingKeys.add(earlier, NEVER_YET);
      const key = aKey(since + 1);
      expect(await backend().signingKeys.add(key, since)).toBe(isAdded);
      expect(await listOnly(key)).toStrictEqual(isAdded ? [key] : []);
    });

    test('lets one of two instances that rotate at once add its key', async () => {
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

    test('is not touched by what is done to a key that was given or listed', async () => {
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
