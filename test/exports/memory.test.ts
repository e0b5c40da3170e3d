/** The backend of `createMemoryBackend()` keeps the sign-in contracts with the service's own hashing, too. */
import { createMemoryBackend } from 'fleetsift/memory';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contractsWith } from '#test/contracts/testing.ts';

const backend = createMemoryBackend();
const contracts = contractsWith({ describe, test, beforeAll, beforeEach, expect });
for (const contract of [
  contracts.testAccountStore,
  contracts.testPasswordStore,
  contracts.testSessionStore,
  contracts.testPeopleStore,
]) {
  contract(() => ({ ...backend, auditEntries: async () => backend.auditEntries() }));
}

test('the contract tests have more time than frameworks give by default', () => {
  const given: unknown[] = [];
  const note = (_name: string, _body: unknown, timeoutMs?: number) => given.push(timeoutMs);
  const now = (_name: string, body: () => void) => body();
  contractsWith({
    describe: now,
    test: note,
    beforeAll: () => {},
    beforeEach: () => {},
    expect,
  }).testSearcher(() => ({ ...backend, auditEntries: async () => backend.auditEntries() }));
  // Suites of other files register their tests with the real functions.
  contractsWith({ describe, test, beforeAll, beforeEach, expect });
  expect(new Set(given)).toStrictEqual(new Set([120_000]));
});
