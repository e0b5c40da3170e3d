/** What an embedder gets of `createMemoryBackend()` keeps the contracts of sign-in with the service's own hashing, too. */
import { createMemoryBackend } from 'fleetsift/memory';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contractsWith } from '#test/contracts/testing.ts';

const backend = createMemoryBackend();
const contracts = contractsWith({ describe, test, beforeAll, beforeEach, expect });
for (const contract of [
  contracts.testAccountStore,
  contracts.testPasswordStore,
  contracts.testSessionStore,
  contracts.testUserStatus,
]) {
  contract(() => ({ ...backend, auditEntries: async () => backend.auditEntries() }));
}
