import { expect, test } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { aUser, fixedClock, located, newId } from '#test/support/builders.ts';

function setUp() {
  const hashed: string[] = [];
  const backend = createMemoryBackend({
    translatePattern,
    digestSecret,
    clock: fixedClock(),
    newId,
    hashPassword: async (password) => {
      hashed.push(password);
      return 'hash';
    },
  });
  return { backend, hashed };
}

test('a password is hashed exactly as typed, whether its user is loaded or created', async () => {
  const { backend, hashed } = setUp();
  await backend.fleetWriter(located([aUser({ password: ' pass\tword ü ' })]));
  await backend.accounts.createUser(aUser({ password: 'another one' }));
  expect(hashed).toStrictEqual([' pass\tword ü ', 'another one']);
});

test('each of many passwords is hashed once', async () => {
  const { backend, hashed } = setUp();
  const users = Array.from({ length: 25 }, (_, i) => aUser({ password: `password ${i}` }));
  expect((await backend.fleetWriter(located(users))).ok).toBe(true);
  expect(hashed.toSorted()).toStrictEqual(users.map(({ password }) => password).toSorted());
});

test('a password that cannot be hashed stops the load', async () => {
  const backend = createMemoryBackend({
    translatePattern,
    digestSecret,
    clock: fixedClock(),
    newId,
    hashPassword: () => Promise.reject(new Error('no memory to hash in')),
  });
  const user = aUser();
  await expect(backend.fleetWriter(located([user]))).rejects.toThrow('no memory to hash in');
  expect(await backend.principals.findUser(user.id)).toBeNull();
});
