/** The in-memory adapters against every contract. */
import { digestSecret } from '#adapters/auth/digest-secret.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { systemClock } from '#adapters/system/clock.ts';
import { uuidV7 } from '#adapters/system/id-generator.ts';
import { testAccountEraser } from '#test/contracts/account-eraser.contract.ts';
import { testAccountStore } from '#test/contracts/account-store.contract.ts';
import { testApiKeyStore } from '#test/contracts/api-key-store.contract.ts';
import { testAuditLog } from '#test/contracts/audit-log.contract.ts';
import { testAuditReader } from '#test/contracts/audit-reader.contract.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testCustomFieldSource } from '#test/contracts/custom-field-source.contract.ts';
import { testDeletionRequestStore } from '#test/contracts/deletion-request-store.contract.ts';
import { testDeviceMatcher } from '#test/contracts/device-matcher.contract.ts';
import { testFilterSemantics } from '#test/contracts/filter-semantics.contract.ts';
import { testFleetWriter } from '#test/contracts/fleet-writer.contract.ts';
import { testInventoryStore } from '#test/contracts/inventory-store.contract.ts';
import { testMailOutbox } from '#test/contracts/mail-outbox.contract.ts';
import { testMfaStore } from '#test/contracts/mfa-store.contract.ts';
import { testOrganizationDirectory } from '#test/contracts/organization-directory.contract.ts';
import { testPatternChecker } from '#test/contracts/pattern-checker.contract.ts';
import { testPrincipalStore } from '#test/contracts/principal-store.contract.ts';
import { testRateLimiterWindows } from '#test/contracts/rate-limiter/windows.contract.ts';
import { testRateLimiter } from '#test/contracts/rate-limiter.contract.ts';
import { testSavedFilterStore } from '#test/contracts/saved-filter-store.contract.ts';
import { testSearcher } from '#test/contracts/searcher.contract.ts';
import { testSessionStore } from '#test/contracts/session-store.contract.ts';
import { testSigningKeyStore } from '#test/contracts/signing-key-store.contract.ts';
import { testUnitOfWork } from '#test/contracts/unit-of-work.contract.ts';
import { movableClock } from '#test/support/builders.ts';

const memory = createMemoryBackend({
  translatePattern,
  digestSecret,
  clock: systemClock,
  newId: uuidV7,
  hashPassword: async (password) => `hash of ${password}`,
});
const backend: ContractBackend = { ...memory, auditEntries: async () => memory.auditEntries() };

testSavedFilterStore(() => backend);
testUnitOfWork(() => backend);
testAuditLog(() => backend);
testAuditReader(() => backend);
testMailOutbox(() => backend);
testDeletionRequestStore(() => backend);
testAccountEraser(() => backend);
testDeviceMatcher(() => backend);
testFilterSemantics(() => backend);
testPatternChecker(() => backend);
testCustomFieldSource(() => backend);
testOrganizationDirectory(() => backend);
testFleetWriter(() => backend);
testInventoryStore(() => backend);
testPrincipalStore(() => backend);
testAccountStore(() => backend);
testSigningKeyStore(() => backend);
testRateLimiter(() => backend);
testSessionStore(() => backend);
testMfaStore(() => backend);
testApiKeyStore(() => backend);
testRateLimiterWindows(() => {
  const { clock, moveTo } = movableClock();
  const { rateLimiter: limiter } = createMemoryBackend({
    translatePattern,
    digestSecret,
    clock,
    newId: uuidV7,
    hashPassword: async () => '',
  });
  return { limiter, moveTo };
});
testSearcher(() => backend);
