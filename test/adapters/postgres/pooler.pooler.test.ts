/**
 * A backend behind PgBouncer in transaction mode: tenants share connections to the server, and nothing of one
 * transaction reaches the next (Contract: §15, DATABASE_POOLER).
 */
import { setTimeout } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { openPostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { connectionConfig, makeClient } from '#adapters/postgres/setup/connections/connection-config.ts';
import { MIGRATIONS } from '#adapters/postgres/setup/migrations/migration-list.ts';
import { provisionDatabase } from '#adapters/postgres/setup/provision.ts';
import { sessionVariables } from '#adapters/postgres/setup/security/service-roles.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { startWorker } from '#adapters/system/worker.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import { makeMembershipsJob } from '#application/live/membership-jobs.ts';
import type { OrgId } from '#domain/ids.ts';
import {
  aDevice,
  anAuditEntry,
  aSavedFilter,
  orgScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createFreshDatabase } from '#test/support/database/fresh-database.ts';
import { pooledUrl, SERVER_CONNECTIONS, startPooler, wayTo } from '#test/support/database/pooler.ts';
import {
  BACKEND_OPTIONS,
  createPostgresWorld,
  type PostgresWorld,
} from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { and, parseFilter } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { CHEAP, loadSlowFleet, previewTotal, SLOW, SLOW_FLEET_SIZE } from './reads/slow-fleet.ts';

/** More than connections to the server. */
const TENANTS = 12;

let world: PostgresWorld;
let orgIds: readonly OrgId[];

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'), { filterTimeoutMs: 60_000 });
  const made: OrgId[] = [];
  for (let i = 0; i < TENANTS; i++) {
    const { orgId } = await createTenant(world.backend);
    await loadFleet(world.backend, [aDevice({ orgId, hostname: `of ${orgId}` })]);
    made.push(orgId);
  }
  orgIds = made;
});

afterAll(() => world.close());

test('a pooler that was not configured is recognized', async () => {
  const { url } = wayTo(world.url);
  await expect(provisionDatabase({ url, migrate: false, secretNames: [] })).rejects.toThrow(
    /^The database cannot be opened: .*DATABASE_URL seems to lead to a pooler such as PgBouncer: set DATABASE_POOLER=transaction/,
  );
});

test('a pooler that drops the settings of connections is recognized', async () => {
  const pooler = await startPooler(inject('databaseUrl'), 'ignore_startup_parameters = options');
  onTestFinished(pooler.close);
  const url = pooledUrl(world.url, pooler.port);
  await expect(provisionDatabase({ url, migrate: false, secretNames: [] })).rejects.toThrow(
    /^The database ignores the settings of connections\. DATABASE_URL seems to lead to a pooler such as PgBouncer: set DATABASE_POOLER=transaction/,
  );
});

/** Connections in a role of the service, through the pooler. */
async function connected<T>(
  role: 'app' | 'reader',
  count: number,
  settings: Readonly<Record<string, string>>,
  work: (clients: readonly Client[]) => Promise<T>,
): Promise<T> {
  const { roles } = await provisionDatabase({ url: world.url, migrate: false, secretNames: [] });
  const { url } = wayTo(world.url);
  const connection = connectionConfig(url, {
    as: roles[role],
    applicationName: `test ${role}`,
    isPooled: true,
    settings,
  });
  const clients = Array.from({ length: count }, () => makeClient(connection));
  try {
    await Promise.all(clients.map((client) => client.connect()));
    return await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** The organization's devices in a preview and in a stream. */
async function seenIn(orgId: OrgId) {
  const request = {
    filter: parseFilter(and({ field: 'hostname', operator: 'isNotNull' })),
    scope: orgScope(orgId),
    at: SOME_INSTANT,
    onBehalfOf: orgId,
  };
  const found = await world.backend.matcher.preview(request, 10);
  const ids: string[] = [];
  for await (const batch of world.backend.matcher.streamIds(request)) ids.push(...batch);
  return {
    previewed: found.ok ? found.value.devices.map(({ hostname }) => hostname) : [found.error.kind],
    streamed: ids.length,
  };
}

const theirs = (orgId: OrgId) => ({ previewed: [`of ${orgId}`], streamed: 1 });

test('these tests go through a pooler, which takes no settings for a connection', async () => {
  const client = new Client({ connectionString: wayTo(world.url).url, options: '-c jit=off' });
  client.on('error', () => undefined);
  await expect(client.connect()).rejects.toThrow('unsupported startup parameter');
});

test('tenants that share connections see only their own devices', async () => {
  const rounds = Array.from({ length: 6 }, () => orgIds).flat();
  expect(await Promise.all(rounds.map(seenIn))).toStrictEqual(rounds.map(theirs));
});

test('row-level security limits each transaction to its scope, and shows nothing outside a transaction', async () => {
  await connected('app', TENANTS, {}, async (clients) => {
    const hostnames = async (client: Client) => {
      const { rows } = await client.query<{ hostname: string }>('select hostname from device');
      return rows.map(({ hostname }) => hostname);
    };
    for (let round = 0; round < 5; round++) {
      const seen = await Promise.all(
        clients.map(async (client, i) => {
          const orgId = orgIds[i] as OrgId;
          await client.query('begin');
          for (const [name, value] of Object.entries(sessionVariables(orgScope(orgId)))) {
            await client.query('select set_config($1, $2, true)', [name, value]);
          }
          const inside = await hostnames(client);
          await client.query('commit');
          return [inside, await hostnames(client)];
        }),
      );
      expect(seen).toStrictEqual(orgIds.map((orgId) => [[`of ${orgId}`], []]));
    }
  });
});

test('settings apply to one transaction only', async () => {
  const timeoutIn = async (client: Client) => {
    const { rows } = await client.query<{ statement_timeout: string }>('show statement_timeout');
    return rows[0]?.statement_timeout;
  };
  await connected('app', 3, { statement_timeout: '1234' }, async (clients) => {
    for (const client of clients) {
      await client.query('begin');
      expect(await timeoutIn(client)).toBe('1234ms');
      await client.query('rollback');
      expect(await timeoutIn(client)).toBe('0');
    }
  });
});

test('no prepared statement keeps a name that another connection could meet', async () => {
  await Promise.all(orgIds.map((orgId) => world.backend.auditLog(anAuditEntry({ orgId }))));
  await connected('app', TENANTS, {}, async (clients) => {
    await Promise.all(
      clients.map((client) => client.query({ name: 'one', text: 'select $1::int', values: [1] })),
    );
    const kept = await Promise.all(
      clients.map((client) => client.query('select name from pg_prepared_statements')),
    );
    expect(kept.flatMap(({ rows }) => rows)).toStrictEqual([]);
  });
});

test("giving up a read that has not begun cancels nobody else's read", async () => {
  await connected('reader', SERVER_CONNECTIONS, {}, async (clients) => {
    // A wrong process is hit only by chance.
    for (let round = 0; round < 5; round++) {
      // Each connection has had a server process, which now serves another.
      await Promise.all(orgIds.map(seenIn));
      await Promise.all(clients.map((client) => client.query('begin')));
      const others = clients.map(async (client, i) => {
        await client.query(`select pg_sleep(${i < 4 ? 0.4 : 1.2})`);
        await client.query('commit');
      });
      const gone = new AbortController();
      const reads = ['one', 'another'].map((onBehalfOf) =>
        previewTotal(world.backend.matcher, CHEAP, { onBehalfOf, signal: gone.signal }),
      );
      await setTimeout(100);
      gone.abort();
      expect(await Promise.all(reads)).toStrictEqual(['cancelled', 'cancelled']);
      await expect(Promise.all(others)).resolves.toHaveLength(SERVER_CONNECTIONS);
    }
  });
});

test('a read that nobody waits for ends in the server too', async () => {
  await loadSlowFleet(world);
  const client = new AbortController();
  const looking = previewTotal(world.backend.matcher, SLOW, { signal: client.signal });
  const atWork = async () =>
    (
      await world.query('owner', `select 1 from pg_stat_activity where state = 'active' and usename = $1`, [
        `${new URL(world.url).pathname.slice(1)}_reader`,
      ])
    ).length;
  await until(async () => (await atWork()) === 1);
  client.abort();
  expect(await looking).toBe('cancelled');
  await until(async () => (await atWork()) === 0);
  expect(await previewTotal(world.backend.matcher, CHEAP, { scope: SYSTEM_SCOPE })).toBe(
    SLOW_FLEET_SIZE + TENANTS,
  );
});

test('members of watched filters are kept by polling, because no notification passes the pooler', async () => {
  const { memberships, unitOfWork } = world.backend;
  const { orgId, userId } = await createTenant(world.backend);
  const conditionsJson = JSON.stringify(and({ field: 'hostname', operator: 'equals', value: 'till' }));
  const filter = aSavedFilter({ orgId, createdBy: userId, conditionsJson });
  await unitOfWork(SYSTEM_SCOPE, (tx) => tx.filters.add(filter));
  await memberships.watch(SYSTEM_SCOPE, filter.id);
  const evaluate = makeEvaluateMemberships({ memberships, translatePattern, clock: Date.now });
  const nothing = () => undefined;
  const worker = startWorker({
    jobs: [makeMembershipsJob({ memberships, evaluate, clock: Date.now })],
    intervalMs: 60_000,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  });
  try {
    await until(async () => (await memberships.members(SYSTEM_SCOPE, filter.id)) !== null);
    const device = aDevice({ orgId, hostname: 'till' });
    await loadFleet(world.backend, [device]);
    await until(async () => (await memberships.members(SYSTEM_SCOPE, filter.id))?.seq === 1);
    expect(await memberships.members(SYSTEM_SCOPE, filter.id)).toMatchObject({ ids: [device.id] });
    const listening = `select 1 from pg_stat_activity where datname = current_database() and query ilike 'listen%'`;
    expect(await world.query('owner', listening)).toStrictEqual([]);
  } finally {
    await worker.stop(10_000);
  }
});

test('instances that start at once migrate a database once, and leave no lock behind', async () => {
  const database = await createFreshDatabase(inject('databaseUrl'));
  try {
    const open = () => openPostgresBackend({ ...BACKEND_OPTIONS, ...wayTo(database.url) });
    const backends = await Promise.all([open(), open(), open()]);
    const ready = await Promise.all(backends.map(({ readiness }) => readiness()));
    await Promise.all(backends.map((backend) => backend.close()));
    expect(ready).toStrictEqual(
      backends.map(() => ({ database: true, writable: true, migrations: true, role: true })),
    );
    const owner = new Client({ connectionString: database.url });
    await owner.connect();
    const { rows } = await owner.query(
      `select (select count(*)::int from mikro_orm_migrations) as migrations,
              (select count(*)::int from pg_locks where locktype = 'advisory'
                 and database = (select oid from pg_database where datname = current_database())) as locks`,
    );
    await owner.end();
    expect(rows).toStrictEqual([{ migrations: 1 + MIGRATIONS.length, locks: 0 }]);
  } finally {
    await database.drop();
  }
});

test('operations that run as the owner go through the pooler too', async () => {
  const made = await world.backend.databaseTools.createBackupRole('a password of its own');
  expect(made.kind).toBe('ready');
  const dropped = await world.backend.auditArchive.dropMonthsBefore(0, () => anAuditEntry());
  expect(dropped).toStrictEqual([]);
});

test('a start corrects a role password that was changed', async () => {
  const database = await createFreshDatabase(inject('databaseUrl'));
  const name = new URL(database.url).pathname.slice(1);
  try {
    const open = () => openPostgresBackend({ ...BACKEND_OPTIONS, ...wayTo(database.url) });
    await (await open()).close();
    const owner = new Client({ connectionString: database.url });
    await owner.connect();
    await owner.query(`alter role ${escapeIdentifier(`${name}_app`)} password 'another'`);
    await owner.end();
    const backend = await open();
    expect(await backend.readiness()).toMatchObject({ database: true });
    await backend.close();
  } finally {
    await database.drop();
  }
});
