/** The whole of what a backend promises: one list of contracts, which every backend is held to. */
import { testAccountEraser } from './account-eraser.contract.ts';
import { testAccountStore } from './account-store.contract.ts';
import { testApiKeyStore } from './api-key-store.contract.ts';
import { testAuditArchive } from './audit-archive.contract.ts';
import { testAuditLog } from './audit-log.contract.ts';
import { testAuditReader } from './audit-reader.contract.ts';
import { testBacklogReader } from './backlog-reader.contract.ts';
import { testCompletionSource } from './completion-source.contract.ts';
import type { ContractBackend } from './contract-backend.ts';
import { testCustomFieldSource } from './custom-field-source.contract.ts';
import { testCustomFieldStore } from './custom-field-store.contract.ts';
import { testDeletionRequestStore } from './deletion-request-store.contract.ts';
import { testDeviceExporter } from './device-exporter.contract.ts';
import { testDeviceMatcher } from './device-matcher.contract.ts';
import { testDeviceReader } from './device-reader.contract.ts';
import { testDeviceWriter } from './device-writer.contract.ts';
import { testEnrolmentKeyStore } from './enrolment-key-store.contract.ts';
import { testFilterExplainer } from './filter-explainer.contract.ts';
import { testFilterQuota } from './filter-quota.contract.ts';
import { testFilterSemantics } from './filter-semantics.contract.ts';
import { testFleetCounter } from './fleet-counter.contract.ts';
import { testFleetLists } from './fleet-lists.contract.ts';
import { testFleetWriter } from './fleet-writer.contract.ts';
import { testInventoryStore } from './inventory-store.contract.ts';
import { testMailOutbox } from './mail-outbox.contract.ts';
import { testMfaStore } from './mfa-store.contract.ts';
import { testNamesInReach } from './names-in-reach.contract.ts';
import { testOperatorEntries } from './operator-entries.contract.ts';
import { testOrganizationDirectory } from './organization-directory.contract.ts';
import { testOwnNetworks } from './own-networks.contract.ts';
import { testPasswordStore } from './password-store.contract.ts';
import { testPatternChecker } from './pattern-checker.contract.ts';
import { testPrincipalStore } from './principal-store.contract.ts';
import { type ClockedLimiter, testRateLimiterWindows } from './rate-limiter/windows.contract.ts';
import { testRateLimiter } from './rate-limiter.contract.ts';
import { testSavedFilterStore } from './saved-filter-store.contract.ts';
import { testSearcher } from './searcher.contract.ts';
import { testSessionStore } from './session-store.contract.ts';
import { testSigningKeyStore } from './signing-key-store.contract.ts';
import { testSilenceMarker } from './silence-marker.contract.ts';
import { testUnitOfWork } from './unit-of-work.contract.ts';
import { testUserStatus } from './user-status.contract.ts';

/** What a backend may lack without breaking a promise. */
export interface BackendCapabilities {
  /** A rate limiter of this backend that goes by a clock of the test's; null where it goes by a clock of its own. */
  readonly clockedLimiter: (() => ClockedLimiter) | null;
}

/** `backend` is asked for within tests only, so that it may be opened in a hook. */
export function testAllContracts(backend: () => ContractBackend, capabilities: BackendCapabilities): void {
  for (const test of Object.values(CONTRACTS)) test(backend);
  if (capabilities.clockedLimiter !== null) testRateLimiterWindows(capabilities.clockedLimiter);
}

/** `all-contracts.test.ts` sees to it that no file is missing. */
export const CONTRACTS = {
  testSavedFilterStore,
  testFilterQuota,
  testUnitOfWork,
  testAuditLog,
  testAuditArchive,
  testAuditReader,
  testMailOutbox,
  testBacklogReader,
  testDeletionRequestStore,
  testAccountEraser,
  testDeviceMatcher,
  testDeviceReader,
  testDeviceWriter,
  testDeviceExporter,
  testFilterSemantics,
  testFilterExplainer,
  testSearcher,
  testPatternChecker,
  testCustomFieldSource,
  testCustomFieldStore,
  testCompletionSource,
  testOrganizationDirectory,
  testNamesInReach,
  testFleetLists,
  testFleetCounter,
  testFleetWriter,
  testInventoryStore,
  testSilenceMarker,
  testPrincipalStore,
  testAccountStore,
  testOperatorEntries,
  testSigningKeyStore,
  testRateLimiter,
  testSessionStore,
  testMfaStore,
  testPasswordStore,
  testUserStatus,
  testOwnNetworks,
  testApiKeyStore,
  testEnrolmentKeyStore,
} as const satisfies Readonly<Record<string, (backend: () => ContractBackend) => void>>;
