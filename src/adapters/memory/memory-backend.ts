/**
 * The whole service without a database: every port that a database stands behind, over one world in this process.
 * It is complete, and as durable as the process. Transactions run one after the other; readers never wait.
 */
import type { Backend } from '#application/backend.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { PasswordHasher } from '#application/ports/password-hasher.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { makeAccountStore } from './account-store.ts';
import { makeApiKeyReader } from './api-key-store.ts';
import { makeAuditLog } from './audit-log.ts';
import { makeAuditReader } from './audit-reader.ts';
import { makeCustomFieldSource } from './custom-field-source.ts';
import { makeDeletionRequestReader } from './deletion-request-store.ts';
import { makeDeviceMatcher } from './device-matcher.ts';
import { makeFleetWriter } from './fleet-writer.ts';
import { makeInventoryStore } from './inventory-store.ts';
import { makeMailOutbox } from './mail-outbox.ts';
import { makeOrganizationDirectory } from './organization-directory.ts';
import { checkPatterns } from './pattern-checker.ts';
import { makePrincipalStore } from './principal-store.ts';
import { makeRateLimiter } from './rate-limiter.ts';
import { makeSavedFilterReader } from './saved-filter-reader.ts';
import { makeSearcher } from './searcher.ts';
import { makeSignInStore } from './sign-in-store.ts';
import { makeSigningKeyStore } from './signing-key-store.ts';
import { makeUnitOfWork } from './unit-of-work.ts';
import { makeWorld } from './world.ts';

export interface MemoryBackend extends Backend {
  /** Every entry on record, oldest first. */
  auditEntries(): readonly AuditEntry[];
}

export interface MemoryBackendDeps {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly hashPassword: PasswordHasher;
  /** How long an evaluation may take. Default: 2,000 (Contract: §4, FILTER_TIMEOUT_MS). */
  readonly filterTimeoutMs?: number;
  /** How long a search may take. Default: 1,000 (Contract: §6, SEARCH_TIMEOUT_MS). */
  readonly searchTimeoutMs?: number;
}

const DEFAULT_FILTER_TIMEOUT_MS = 2000;
const DEFAULT_SEARCH_TIMEOUT_MS = 1000;

/** A new world with nothing in it. */
export function createMemoryBackend(deps: MemoryBackendDeps): MemoryBackend {
  const { clock, newId, hashPassword } = deps;
  const { filterTimeoutMs = DEFAULT_FILTER_TIMEOUT_MS, searchTimeoutMs = DEFAULT_SEARCH_TIMEOUT_MS } = deps;
  const world = makeWorld();
  const elapsedMs = () => performance.now();
  return {
    fleetWriter: makeFleetWriter({ world, clock, hashPassword }),
    inventoryStore: makeInventoryStore({ world, newId }),
    filters: makeSavedFilterReader(world),
    unitOfWork: makeUnitOfWork({ world, clock, newId }),
    matcher: makeDeviceMatcher({ world, timeoutMs: filterTimeoutMs, elapsedMs }),
    searcher: makeSearcher({ world, timeoutMs: searchTimeoutMs, elapsedMs }),
    checkPatterns,
    customFields: makeCustomFieldSource(world),
    organizationExists: makeOrganizationDirectory(world),
    auditLog: makeAuditLog(world),
    readAuditEntries: makeAuditReader(world),
    deletionRequests: makeDeletionRequestReader(world),
    mailOutbox: makeMailOutbox(world, () => newId<'claim'>()),
    principals: makePrincipalStore(world),
    accounts: makeAccountStore({ world, hashPassword, clock }),
    signingKeys: makeSigningKeyStore(),
    rateLimiter: makeRateLimiter(clock),
    signIns: makeSignInStore(world),
    apiKeys: makeApiKeyReader(world),
    auditEntries: () => [...world.auditEntries],
  };
}
