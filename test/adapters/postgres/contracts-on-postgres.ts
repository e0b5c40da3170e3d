import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openPostgresBackend, type PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { CONTRACTS } from '#test/contracts/all-contracts.ts';
import { testRateLimiterWindows } from '#test/contracts/auth/rate-limiter/windows.contract.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { contractsWith } from '#test/contracts/testing.ts';
import { movableClock } from '#test/support/builders.ts';
import { readAuditEntries } from '#test/support/database/audit-entries.ts';
import {
  BACKEND_OPTIONS,
  createPostgresWorld,
  type PostgresWorld,
} from '#test/support/database/postgres-world.ts';

/** Runs every second contract on PostgreSQL. The file of each half runs beside the other. */
export function testContractsOnPostgres(half: 0 | 1): void {
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

  contractsWith({ describe, test, beforeAll, beforeEach, expect });
  const all = [
    ...Object.values(CONTRACTS).map((testContract) => () => testContract(() => backend)),
    () => testRateLimiterWindows(() => ({ limiter: clocked.rateLimiter, moveTo })),
  ];
  for (const [i, testContract] of all.entries()) if (i % 2 === half) testContract();
}
