/** A database that falls silent on open connections, because its process is stopped or packets are lost. */
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import { openPostgresBackend, type PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { connectionConfig, makeClient } from '#adapters/postgres/setup/connections/connection-config.ts';
import { letTakeTime } from '#adapters/postgres/setup/connections/watched-client.ts';
import type { RateRule } from '#application/ports/auth/stores/rate-limiter.ts';
import { aDevice, anAuditEntry, aRateKey, located } from '#test/support/builders.ts';
import { type PausableProxy, startPausableProxy } from '#test/support/database/pausable-proxy.ts';
import {
  BACKEND_OPTIONS,
  createPostgresWorld,
  type PostgresWorld,
} from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { audibleFrom } from '#test/support/inventories.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const RULE: RateRule = { name: 'test', points: 1_000, windowSeconds: 60 };

const ANY_DEVICE = and({ field: 'hostname', operator: 'isNotNull' });

/** Enough for a new connection on a busy machine. */
const PATIENCE_MS = 500;

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});

afterAll(() => world.close());

describe('a backend whose database falls silent', () => {
  let door: PausableProxy;
  let backend: PostgresBackend;

  beforeEach(async () => {
    door = await startPausableProxy(world.url);
    backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: door.url, patienceMs: PATIENCE_MS });
    return async () => {
      door.resume();
      await backend.close();
      await door.close();
    };
  });

  test('fails as unavailable at every port, leaves nothing half done, and works again afterwards', async () => {
    const tenant = await createTenant(backend);
    const scope = { kind: 'organization', orgId: tenant.orgId } as const;
    await loadFleet(backend, [aDevice({ orgId: tenant.orgId, hostname: 'here' })]);
    const ports: Readonly<Record<string, () => Promise<unknown>>> = {
      filters: () => Array.fromAsync(backend.filters.list(scope)),
      unitOfWork: () => backend.unitOfWork(scope, (tx) => tx.audit(anAuditEntry())),
      signIn: () => backend.signInUnitOfWork(scope, (tx) => tx.audit(anAuditEntry())),
      customFields: () => backend.customFields(scope),
      auditLog: () => backend.auditLog(anAuditEntry()),
      principals: () => backend.principals.findUser(tenant.userId),
      rateLimiter: () => backend.rateLimiter.consume(aRateKey(RULE, 'somebody')),
      readBacklog: () => backend.readBacklog(Date.now()),
      markSilent: () => backend.markSilent(audibleFrom(0), 1),
    };
    const askAll = () => Promise.all(Object.values(ports).map((ask) => outcomeOf(ask())));
    const allGood = new Set(['good']);
    expect(new Set(await askAll())).toStrictEqual(allGood);
    expect(await findHostnames(backend, scope, ANY_DEVICE)).toStrictEqual(['here']);
    const entriesBefore = await countEntries();

    door.pause();
    expect(new Set(await askAll())).toStrictEqual(new Set(['unavailable']));
    expect(await outcomeOf(findHostnames(backend, scope, ANY_DEVICE))).not.toBe('good');
    expect(await backend.readiness()).toStrictEqual({
      database: false,
      writable: false,
      migrations: false,
      role: false,
    });

    expect(await countEntries()).toBe(entriesBefore);
    door.resume();
    await until(async () => (await askAll()).every((outcome) => outcome === 'good'));
    await until(async () => (await outcomeOf(findHostnames(backend, scope, ANY_DEVICE))) === 'good');
    expect(await findHostnames(backend, scope, ANY_DEVICE)).toStrictEqual(['here']);
  });

  test('completes a load under way if the database is back in time', async () => {
    const tenant = await createTenant(backend);
    const source = async function* () {
      yield* located(Array.from({ length: 1_000 }, () => aDevice({ orgId: tenant.orgId })));
      door.pause();
      // Longer than any other wait.
      setTimeout(() => door.resume(), 3 * PATIENCE_MS);
      yield* located(Array.from({ length: 1_000 }, () => aDevice({ orgId: tenant.orgId })));
    };
    expect(await backend.fleetWriter(source())).toMatchObject({ ok: true, value: { device: 2_000 } });
  });
});

describe.concurrent('a connection', () => {
  test('is kept while the server responds, however long a statement takes', async () => {
    await watched(60_000, async (client) => {
      const { rows } = await client.query(`select pg_sleep(${(3 * PATIENCE_MS) / 1_000})::text as slept`);
      expect(rows).toStrictEqual([{ slept: '' }]);
    });
  });

  test('is kept while it is idle, in a transaction or between two', async () => {
    await watched(1, async (client) => {
      for (const statement of ['begin', 'commit']) {
        await client.query(statement);
        await new Promise((resolve) => setTimeout(resolve, 2.5 * PATIENCE_MS));
      }
      expect((await client.query('select 1 as one')).rows).toStrictEqual([{ one: 1 }]);
    });
  });

  test('is closed once a statement exceeds its time, though the server answers others', async () => {
    await watched(1, async (client) => {
      expect(await outcomeOf(client.query('select pg_sleep(60)'))).toBe('unavailable');
      expect(await outcomeOf(client.query('select 1'))).toBe('unavailable');
    });
  });

  test('is kept for a statement that may take as long as it needs', async () => {
    await watched(1, async (client) => {
      letTakeTime(client, true);
      const { rows } = await client.query(`select pg_sleep(${(3 * PATIENCE_MS) / 1_000})::text as slept`);
      expect(rows).toStrictEqual([{ slept: '' }]);
      letTakeTime(client, false);
      expect(await outcomeOf(client.query(`select pg_sleep(60)`))).toBe('unavailable');
    });
  });
});

/** Works on a connection that is closed soon after `statementMs`. */
async function watched(statementMs: number, work: (client: Client) => Promise<void>): Promise<void> {
  const client = makeClient(
    connectionConfig(world.url, {
      applicationName: 'test watched',
      patienceMs: PATIENCE_MS,
      settings: { statement_timeout: String(statementMs) },
    }),
  );
  await client.connect();
  try {
    // Only the client's own limit is tested.
    await client.query('set statement_timeout = 0');
    await work(client);
  } finally {
    await client.end();
  }
}

async function countEntries(): Promise<number> {
  const rows = await world.query<{ count: number }>('owner', 'select count(*)::int as count from audit_log');
  return rows[0]?.count ?? 0;
}

/** 'good', 'unavailable', or how the work failed otherwise. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'good',
    (error: unknown) => (isDatabaseUnavailable(error) ? 'unavailable' : error),
  );
}
