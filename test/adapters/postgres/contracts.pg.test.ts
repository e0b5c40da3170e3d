/** The PostgreSQL adapters against every contract. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openPostgresBackend, type PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { contractsWith } from '#test/contracts/testing.ts';
import { movableClock } from '#test/support/builders.ts';
import { readAuditEntries } from '#test/support/database/audit-entries.ts';
import {
  BACKEND_OPTIONS,
  createPostgresWorld,
  type PostgresWorld,
} from '#test/support/database/postgres-world.ts';

const { clock, moveTo } = movableClock();

let world: PostgresWorld;
let backend: ContractBackend;
/** On the same database, with a clock that tests move. */
let clocked: PostgresBackend;

beforeAll(async () => {
  // Completions count as long as a search may take, and the machine may be busy.
  world = await createPostgresWorld(inject('databaseUrl'), { searchTimeoutMs: 20_000 });
  backend = {
    ...world.backend,
    auditEntries: () => readAuditEntries((sql) => world.query('owner', sql)),
  };
  clocked = await openPostgresBackend({ ...BACKEND_OPTIONS, url: world.url, clock });
});

afterAll(async () => {
  await clocked.close();
  await world.close();
});

contractsWith({ describe, test, beforeAll, beforeEach, expect }).testAllContracts(() => backend, {
  clockedLimiter: () => ({ limiter: clocked.rateLimiter, moveTo }),
});
