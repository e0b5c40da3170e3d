/** All storage ports over one world in this process. Transactions run one after the other; readers never wait. */
import { randomBytes } from 'node:crypto';
import type { Backend } from '#application/backend.ts';
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { TranslatePattern } from '#domain/filter/evaluate/compile-predicate.ts';
import { DEFAULT_FILTER_TIMEOUT_MS, DEFAULT_SEARCH_TIMEOUT_MS } from '#domain/limits.ts';
import { makeFleetWriter } from './fleet/fleet-writer.ts';
import { makeHearingNotes, makeInventoryStore, makeSilenceMarker } from './fleet/inventory-store.ts';
import { makeMemberships } from './live/memberships.ts';
import { makeCompletionSource } from './reads/completion-source.ts';
import { makeDeviceExporter } from './reads/device-exporter.ts';
import { makeDeviceMatcher } from './reads/device-matcher.ts';
import { makeDeviceReader } from './reads/device-reader.ts';
import { makeFilterExplainer } from './reads/filter-explainer.ts';
import { makeFleetCounter } from './reads/fleet-counter.ts';
import { makeFleetLists } from './reads/fleet-lists.ts';
import { makeSearcher } from './reads/searcher.ts';
import { makePatternChecker } from './reads/visit-devices.ts';
import { FairQueue } from './scheduling/slices.ts';
import { makeAuditArchive, makeAuditLog, makeAuditReader, makeBacklogReader } from './stores/audit-stores.ts';
import { makeDeletionRequestReader } from './stores/deletion/deletion-request-store.ts';
import { makeBulkChangeRemover } from './stores/fleet/bulk-change-store.ts';
import { makeCustomFieldReader, makeCustomFieldSource } from './stores/fleet/custom-field-store.ts';
import {
  makeNamesInReach,
  makeOrganizationDirectory,
  makeOrganizationsOfPartner,
  makeTenantLister,
} from './stores/fleet/organization-directory.ts';
import { makeSavedFilterReader } from './stores/fleet/saved-filter-store.ts';
import { makeSubscriptionQueue, makeSubscriptionReader } from './stores/fleet/subscription-store.ts';
import { makeWebhookReader } from './stores/fleet/webhook-store.ts';
import { makeAccountStore } from './stores/identity/account-store.ts';
import { makeIdentityProviderReader } from './stores/identity/identity-provider-store.ts';
import {
  makeApiKeyReader,
  makeEnrolmentKeyReader,
  makeFindEnrolmentKey,
  makeSigningKeyStore,
} from './stores/identity/key-stores.ts';
import { makePasskeyReader } from './stores/identity/passkey-stores.ts';
import { makePeopleReader } from './stores/identity/people-store.ts';
import { makePrincipalStore } from './stores/identity/principal-store.ts';
import { makeRateLimiter } from './stores/identity/rate-limiter.ts';
import { makeSessionReader } from './stores/identity/session-store.ts';
import { makeHasSignedInFrom, makeSignInStore } from './stores/identity/user-stores.ts';
import { makeMailOutbox } from './stores/mail/mail-outbox.ts';
import { makeNameReader } from './stores/name-reader.ts';
import { makeUnitOfWork } from './stores/unit-of-work.ts';
import { makeWorld, type World } from './tables/world.ts';

/** Data lasts as long as the process. */
export interface MemoryBackend extends Backend {
  auditEntries(): readonly AuditEntry[];
}

export interface MemoryBackendDeps {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly hashPassword: PasswordHasher;
  readonly digestSecret: DigestSecret;
  /** Direct changes of the world bypass the ports. Default: an empty world. */
  readonly world?: World;
  readonly translatePattern: TranslatePattern;
  /** Default: 2,000 (Contract: §4, FILTER_TIMEOUT_MS). */
  readonly filterTimeoutMs?: number;
  /** Default: 1,000 (Contract: §6, SEARCH_TIMEOUT_MS). */
  readonly searchTimeoutMs?: number;
}

export function createMemoryBackend(deps: MemoryBackendDeps): MemoryBackend {
  const { clock, newId, hashPassword, digestSecret, translatePattern } = deps;
  const {
    world = makeWorld(),
    filterTimeoutMs = DEFAULT_FILTER_TIMEOUT_MS,
    searchTimeoutMs = DEFAULT_SEARCH_TIMEOUT_MS,
  } = deps;
  const checkPatterns = makePatternChecker(translatePattern);
  const elapsedMs = () => performance.now();
  const queue = new FairQueue();
  const evaluation = { world, translatePattern, timeoutMs: filterTimeoutMs, elapsedMs, queue };
  return {
    fleetWriter: makeFleetWriter({ world, clock, hashPassword, digestSecret, checkPatterns }),
    inventoryStore: makeInventoryStore({ world, newId }),
    markSilent: makeSilenceMarker(world),
    removeBulkChanges: makeBulkChangeRemover(world),
    noteHearing: makeHearingNotes(),
    filters: makeSavedFilterReader(world),
    subscriptions: makeSubscriptionReader(world),
    subscriptionQueue: makeSubscriptionQueue(world, () => newId<'claim'>()),
    webhookReader: makeWebhookReader(world),
    unitOfWork: makeUnitOfWork({ world, clock, newId, digestSecret }),
    matcher: makeDeviceMatcher(evaluation),
    deviceReader: makeDeviceReader(evaluation),
    cursorKey: randomBytes(32).toString('base64url'),
    explainFilter: makeFilterExplainer(evaluation),
    deviceExporter: makeDeviceExporter(evaluation),
    searcher: makeSearcher({ world, timeoutMs: searchTimeoutMs, elapsedMs }),
    // Nothing needs tidying, because searches read the rows directly.
    tidySearch: async () => 0,
    removeUnusedTitles: async () => 0,
    checkPatterns,
    customFields: makeCustomFieldSource(world),
    definedFields: makeCustomFieldReader(world),
    fleetLists: makeFleetLists(world),
    fleetCounter: makeFleetCounter({ world, timeoutMs: filterTimeoutMs, elapsedMs }),
    findValues: makeCompletionSource({ world, timeoutMs: searchTimeoutMs / 2, elapsedMs }),
    organizationExists: makeOrganizationDirectory(world),
    organizationsOf: makeOrganizationsOfPartner(world),
    listTenants: makeTenantLister(world),
    namesInReach: makeNamesInReach(world),
    names: makeNameReader(world),
    peopleReader: makePeopleReader(world),
    auditLog: makeAuditLog(world),
    readAuditEntries: makeAuditReader(world),
    auditArchive: makeAuditArchive(world),
    deletionRequests: makeDeletionRequestReader(world),
    mailOutbox: makeMailOutbox(world, () => newId<'claim'>()),
    sharedClock: async () => clock(),
    principals: makePrincipalStore(world),
    accounts: makeAccountStore({ world, hashPassword, digestSecret, clock }),
    signingKeys: makeSigningKeyStore(),
    rateLimiter: makeRateLimiter(clock),
    signIns: makeSignInStore(world),
    hasSignedInFrom: makeHasSignedInFrom(world),
    apiKeys: makeApiKeyReader(world),
    passkeys: makePasskeyReader(world),
    identityProviderReader: makeIdentityProviderReader(world),
    enrolmentKeys: makeEnrolmentKeyReader(world),
    findEnrolmentKey: makeFindEnrolmentKey(world),
    sessions: makeSessionReader(world),
    readBacklog: makeBacklogReader(world),
    memberships: makeMemberships(world, makeCustomFieldSource(world)),
    auditEntries: () => [...world.auditEntries],
  };
}
