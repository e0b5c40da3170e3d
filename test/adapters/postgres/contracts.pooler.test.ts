/**
 * The PostgreSQL adapters behind a pooler: the contracts of changes, of turns and locks, and of reads in one statement,
 * in a snapshot and by a cursor. All other reads use one of the three ways.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { contractsWith } from '#test/contracts/testing.ts';
import { readAuditEntries } from '#test/support/database/audit-entries.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';

let world: PostgresWorld;
let backend: ContractBackend;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  backend = {
    ...world.backend,
    auditEntries: () => readAuditEntries((sql) => world.query('owner', sql)),
  };
});

afterAll(() => world.close());

const contracts = contractsWith({ describe, test, beforeAll, beforeEach, expect });

const THROUGH_POOLER = [
  contracts.testUnitOfWork,
  contracts.testAuditLog,
  contracts.testAuditArchive,
  contracts.testMailOutbox,
  contracts.testDeletionRequestStore,
  contracts.testAccountEraser,
  contracts.testDeviceMatcher,
  contracts.testDeviceReader,
  contracts.testDeviceExporter,
  contracts.testPatternChecker,
  contracts.testSavedFilterStore,
  contracts.testInventoryStore,
  contracts.testSilenceMarker,
  contracts.testMemberships,
  contracts.testPrincipalStore,
  contracts.testSigningKeyStore,
  contracts.testRateLimiter,
  contracts.testSessionStore,
  contracts.testApiKeyStore,
];

for (const testContract of THROUGH_POOLER) testContract(() => backend);
