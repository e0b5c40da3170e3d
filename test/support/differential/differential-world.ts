/** One random world in a new database, with both evaluators. */
import fc from 'fast-check';
import { Client } from 'pg';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { openPostgresBackend, type PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { systemClock, uuidV7 } from '#adapters/system/clock.ts';
import { makeSecretBox } from '#adapters/system/secret-box.ts';
import { loadCatalog } from '#application/filters/check-conditions.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { createFreshDatabase } from '#test/support/database/fresh-database.ts';
import { type Leaf, leavesOf } from '#test/support/random/random-filters.ts';
import { withRandomFilters } from '#test/support/random/random-inner.ts';
import { randomWorld } from '#test/support/random/random-worlds.ts';
import { loadFleet } from '#test/support/tenant.ts';

/** What one kind of caller can ask about, and the devices in its reach. */
export interface Reach {
  readonly scope: AccessScope;
  readonly catalog: FieldCatalog;
  readonly devices: readonly Device[];
  readonly leaves: readonly Leaf[];
}

export interface DifferentialWorld {
  readonly backend: PostgresBackend;
  readonly reaches: readonly Reach[];
  close(): Promise<void>;
}

export interface DifferentialWorldOptions {
  /** The connection string of a role that may create databases. */
  readonly adminUrl: string;
  readonly seed: number;
  readonly deviceCount: number;
  /** Forces the planner to use indexes. Otherwise it scans small tables. */
  readonly isIndexed: boolean;
  /** The locale of the database. Default: the server's. */
  readonly locale?: 'C' | undefined;
}

export async function openDifferentialWorld(options: DifferentialWorldOptions): Promise<DifferentialWorld> {
  const { adminUrl, seed, deviceCount, isIndexed, locale } = options;
  const [world] = fc.sample(randomWorld(deviceCount), { seed, numRuns: 1 });
  if (world === undefined) throw new Error('no world was drawn');
  await using opened = new AsyncDisposableStack();
  const database = await createFreshDatabase(adminUrl, locale);
  opened.defer(() => database.drop());
  if (isIndexed) await turnOffSequentialScans(database.url);
  const backend = await openPostgresBackend({
    url: database.url,
    migrate: true,
    filterTimeoutMs: FILTER_TIMEOUT_MS,
    clock: systemClock,
    newId: uuidV7,
    hashPassword: async (password) => password,
    digestSecret,
    makeSecretBox,
  });
  opened.defer(() => backend.close());
  await loadFleet(backend, world.records);
  const reaches = await Promise.all(
    world.scopes.map(async (scope): Promise<Reach> => {
      const devices = world.devices.filter(({ orgId }) => canReach(scope, orgId));
      const defined = await loadCatalog(backend.customFields, scope);
      const catalog = withRandomFilters(defined, devices, seed);
      return { scope, catalog, devices, leaves: leavesOf(catalog, devices) };
    }),
  );
  const toClose = opened.move();
  return { backend, reaches, close: () => toClose.disposeAsync() };
}

/** Long enough for every filter, because the comparison is about answers and not about time. */
const FILTER_TIMEOUT_MS = 120_000;

async function turnOffSequentialScans(url: string): Promise<void> {
  const owner = new Client({ connectionString: url });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ name: string }>('select quote_ident(current_database()) as name');
    await owner.query(`alter database ${rows[0]?.name} set enable_seqscan = off`);
  } finally {
    await owner.end();
  }
}
