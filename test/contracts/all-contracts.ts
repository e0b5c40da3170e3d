/** Everything that a backend promises: one list of contracts that every backend must meet. */
import { testAuditArchive } from './audit/audit-archive.contract.ts';
import { testAuditLog } from './audit/audit-log.contract.ts';
import { testAuditReader } from './audit/audit-reader.contract.ts';
import { testNameReader } from './audit/name-reader.contract.ts';
import { testOperatorEntries } from './audit/operator-entries.contract.ts';
import { testAccountStore } from './auth/account-store.contract.ts';
import { testApiKeyStore } from './auth/api-key-store.contract.ts';
import { testEnrolmentKeyStore } from './auth/enrolment-key-store.contract.ts';
import { testIdentityProviderStore } from './auth/identity-provider-store.contract.ts';
import { testLinkStore } from './auth/link-store.contract.ts';
import { testMfaStore } from './auth/mfa-store.contract.ts';
import { testOwnNetworks } from './auth/own-networks.contract.ts';
import { testPasskeyStore } from './auth/passkey-store.contract.ts';
import { testPasswordStore } from './auth/password-store.contract.ts';
import { testPrincipalStore } from './auth/principal-store.contract.ts';
import { type ClockedLimiter, testRateLimiterWindows } from './auth/rate-limiter/windows.contract.ts';
import { testRateLimiter } from './auth/rate-limiter.contract.ts';
import { testSessionStore } from './auth/session-store.contract.ts';
import { testSigningKeyStore } from './auth/signing-key-store.contract.ts';
import { testBacklogReader } from './backlog-reader.contract.ts';
import type { ContractBackend } from './contract-backend.ts';
import { testAccountEraser } from './deletion/account-eraser.contract.ts';
import { testDeletionRequestStore } from './deletion/deletion-request-store.contract.ts';
import { testCompletionSource } from './filters/completion-source.contract.ts';
import { testCustomFieldSource } from './filters/custom-field-source.contract.ts';
import { testCustomFieldStore } from './filters/custom-field-store.contract.ts';
import { testDeviceMatcher } from './filters/device-matcher.contract.ts';
import { testFilterExplainer } from './filters/filter-explainer.contract.ts';
import { testFilterQuota } from './filters/filter-quota.contract.ts';
import { testFilterSemantics } from './filters/filter-semantics.contract.ts';
import { testPatternChecker } from './filters/pattern-checker.contract.ts';
import { testSavedFilterStore } from './filters/saved-filter-store.contract.ts';
import { testAlertWriter } from './fleet/alert-writer.contract.ts';
import { testBulkChangeStore } from './fleet/bulk-change-store.contract.ts';
import { testDeviceExporter } from './fleet/device-exporter.contract.ts';
import { testDeviceReader } from './fleet/device-reader.contract.ts';
import { testDeviceWriter } from './fleet/device-writer.contract.ts';
import { testFleetCounter } from './fleet/fleet-counter.contract.ts';
import { testFleetLists } from './fleet/fleet-lists.contract.ts';
import { testFleetWriter } from './fleet/fleet-writer.contract.ts';
import { testInventoryStore } from './fleet/inventory-store.contract.ts';
import { testNamesInReach } from './fleet/names-in-reach.contract.ts';
import { testOrganizationDirectory } from './fleet/organization-directory.contract.ts';
import { testSilenceMarker } from './fleet/silence-marker.contract.ts';
import { testTenantWriter } from './fleet/tenant-writer.contract.ts';
import { testMemberships } from './live/memberships.contract.ts';
import { testSubscriptionStore } from './live/subscription-store.contract.ts';
import { testWebhookStore } from './live/webhook-store.contract.ts';
import { testMailOutbox } from './mail/mail-outbox.contract.ts';
import { testPeopleStore } from './people/people-store.contract.ts';
import { testPeopleWriter } from './people/people-writer.contract.ts';
import { testSearchTidier } from './search/search-tidier.contract.ts';
import { testSearcher } from './search/searcher.contract.ts';
import { testUnitOfWork } from './unit-of-work.contract.ts';

/** What a backend may lack without breaking a promise. */
export interface BackendCapabilities {
  /** A rate limiter of this backend with the test's clock; null if it has its own clock. */
  readonly clockedLimiter: (() => ClockedLimiter) | null;
}

/** `backend` is called only within tests, so that a hook can open it. */
export function testAllContracts(backend: () => ContractBackend, capabilities: BackendCapabilities): void {
  for (const test of Object.values(CONTRACTS)) test(backend);
  if (capabilities.clockedLimiter !== null) testRateLimiterWindows(capabilities.clockedLimiter);
}

/** `all-contracts.test.ts` checks that no file is missing. */
export const CONTRACTS = {
  testSavedFilterStore,
  testFilterQuota,
  testUnitOfWork,
  testAuditLog,
  testAuditArchive,
  testAuditReader,
  testNameReader,
  testMailOutbox,
  testBacklogReader,
  testDeletionRequestStore,
  testAccountEraser,
  testDeviceMatcher,
  testDeviceReader,
  testDeviceWriter,
  testBulkChangeStore,
  testAlertWriter,
  testDeviceExporter,
  testFilterSemantics,
  testFilterExplainer,
  testSearcher,
  testSearchTidier,
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
  testMemberships,
  testPrincipalStore,
  testAccountStore,
  testOperatorEntries,
  testSigningKeyStore,
  testRateLimiter,
  testSessionStore,
  testMfaStore,
  testPasskeyStore,
  testIdentityProviderStore,
  testLinkStore,
  testPasswordStore,
  testOwnNetworks,
  testApiKeyStore,
  testEnrolmentKeyStore,
  testPeopleStore,
  testPeopleWriter,
  testTenantWriter,
  testSubscriptionStore,
  testWebhookStore,
} as const satisfies Readonly<Record<string, (backend: () => ContractBackend) => void>>;
