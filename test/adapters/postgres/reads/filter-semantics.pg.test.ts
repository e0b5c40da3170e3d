/** What conditions mean, as PostgreSQL evaluates them. */
import { afterAll, beforeAll, inject } from 'vitest';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { testFilterSemantics } from '#test/contracts/filter-semantics.contract.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';

let world: PostgresWorld;
let backend: ContractBackend;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  // What filters mean leaves nothing on record.
  backend = { ...world.backend, auditEntries: async () => [] };
});

afterAll(() => world.close());

testFilterSemantics(() => backend);
