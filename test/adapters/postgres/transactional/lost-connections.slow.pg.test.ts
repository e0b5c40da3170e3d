/** The service recovers from killed connections and from a restart of the database. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import { openOrm } from '#adapters/postgres/transactional/orm.ts';
import { backendsOf, terminate } from '#test/adapters/postgres/reads/slow-fleet.ts';
import { aDevice, anAuditEntry, located, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const ANY_DEVICE = and({ field: 'hostname', operator: 'isNotNull' });

describe('the pool of transactions', () => {
  let world: PostgresWorld;

  beforeAll(async () => {
    world = await createPostgresWorld(inject('databaseUrl'));
  });

  afterAll(() => world.close());

  // In kysely before 0.29.9, each transaction whose connection died kept its place in the pool forever, and `close`
  // waited for it. The mapper asks for such a version.
  test('loses no place when ten transactions lose their connections, and can be closed', async () => {
    const { work: orm } = await openOrm(world.connection('app'), {
      work: 3,
      identification: 1,
      'sign-in': 1,
    });
    for (let i = 0; i < 10; i++) {
      const work = orm.withScope(SYSTEM_SCOPE, async (em) => {
        const [{ pid } = { pid: 0 }] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
        await terminate(world, [pid]);
        await em.execute('select 1');
      });
      expect(await work.catch(isDatabaseUnavailable)).toBe(true);
    }
    let inside = 0;
    const allInside = Promise.withResolvers<void>();
    const three = [1, 2, 3].map((n) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        inside++;
        if (inside === 3) allInside.resolve();
        await allInside.promise;
        return em.execute<{ n: number }[]>('select ?::int as n', [n]);
      }),
    );
    expect(await Promise.all(three)).toStrictEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    await orm.close();
    expect(await backendsOf(world, 'app')).toStrictEqual([]);
  });

  test('works after its idle connections were killed', async () => {
    const { work: orm } = await openOrm(world.connection('app'), {
      work: 3,
      identification: 1,
      'sign-in': 1,
    });
    const ask = () => orm.withScope(SYSTEM_SCOPE, (em) => em.execute('select 1 as one'));
    expect(await ask()).toStrictEqual([{ one: 1 }]);
    await terminate(world, await backendsOf(world, 'app'));
    expect(await ask()).toStrictEqual([{ one: 1 }]);
    await orm.close();
  });
});

describe('a database that is killed and comes back', () => {
  let world: PostgresWorld;
  let dataDir: string;
  let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'fleetsift-test-killed-'));
    server = await startEmbeddedPostgres({ dataDir });
    world = await createPostgresWorld(server.url);
  });

  afterAll(async () => {
    await world.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('is unavailable at every port meanwhile, and works again afterwards', async () => {
    const { backend } = world;
    const tenant = await createTenant(backend);
    const scope = { kind: 'organization', orgId: tenant.orgId } as const;
    const ports: Readonly<Record<string, () => Promise<unknown>>> = {
      fleetWriter: () => loadFleet(backend, [aDevice({ orgId: tenant.orgId, hostname: 'again' })]),
      filters: () => Array.fromAsync(backend.filters.list(scope)),
      unitOfWork: () => backend.unitOfWork(scope, (tx) => tx.audit(anAuditEntry())),
      matcher: () => findHostnames(backend, scope, ANY_DEVICE),
      checkPatterns: () => backend.checkPatterns([`^${Math.random()}$`], 'somebody'),
      customFields: () => backend.customFields(scope),
      organizationExists: () => backend.organizationExists(tenant.orgId),
      auditLog: () => backend.auditLog(anAuditEntry()),
      principals: () => backend.principals.findUser(tenant.userId),
      accounts: () => backend.accounts.findUserByEmail('nobody@example.com'),
      signingKeys: () => backend.signingKeys.list(),
    };
    const askAll = () => Promise.all(Object.values(ports).map((ask) => outcomeOf(ask())));
    expect(new Set(await askAll())).toStrictEqual(new Set(['good']));

    const [line] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(line), 'SIGKILL');
    const outcomes = new Set<unknown>();
    await until(async () => {
      for (const outcome of await askAll()) outcomes.add(outcome);
      return outcomes.has('unavailable');
    });
    await until(async () => {
      const round = await askAll();
      for (const outcome of round) outcomes.add(outcome);
      return round.every((outcome) => outcome === 'good');
    });
    expect(outcomes).toStrictEqual(new Set(['good', 'unavailable']));
    expect(await backend.readiness()).toStrictEqual({
      database: true,
      writable: true,
      migrations: true,
      role: true,
    });
  });

  test('has nothing of a load that was under way', async () => {
    const { backend } = world;
    const tenant = await createTenant(backend);
    const scope = { kind: 'organization', orgId: tenant.orgId } as const;
    const source = async function* () {
      yield* located(Array.from({ length: 1_000 }, () => aDevice({ orgId: tenant.orgId })));
      const [line] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(line), 'SIGKILL');
      yield* located(Array.from({ length: 1_000 }, () => aDevice({ orgId: tenant.orgId })));
    };
    expect(await outcomeOf(backend.fleetWriter(source()))).toBe('unavailable');
    await until(async () => (await outcomeOf(Array.fromAsync(backend.filters.list(scope)))) === 'good');
    expect(await findHostnames(backend, scope, ANY_DEVICE)).toStrictEqual([]);
  });
});

/** 'good', 'unavailable', or how the work failed otherwise. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'good',
    (error: unknown) => (isDatabaseUnavailable(error) ? 'unavailable' : error),
  );
}
