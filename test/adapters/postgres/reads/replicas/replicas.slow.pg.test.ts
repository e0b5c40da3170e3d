/** Reads with a replica that streams from the primary: who answers, and with what (Contract: §15). */
import { setTimeout } from 'node:timers/promises';
import { type Composition, compose } from 'fleetsift';
import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeMetrics } from '#adapters/metrics/metrics.ts';
import type { PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { checkReadiness } from '#adapters/postgres/setup/readiness.ts';
import { parsePosition } from '#application/ports/freshness.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { parseExportFields } from '#domain/export/parse-export-fields.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { OrgId } from '#domain/ids.ts';
import { aDevice, anApiKey, anAuditEntry, aUser, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { startPausableProxy } from '#test/support/database/pausable-proxy.ts';
import { until } from '#test/support/database/until.ts';
import { and } from '#test/support/filters.ts';
import { checkAnswers } from '#test/support/http/check-answers.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { requestFor, SLOW_PATTERN } from '../slow-fleet.ts';
import {
  createReplicatedWorld,
  MUCH_LAG_MS,
  openReplicatedBackend,
  type ReplicatedBackend,
  type ReplicatedWorld,
} from './replicated-world.ts';

const ANY = and({ field: 'hostname', operator: 'isNotNull' });

let replicated: ReplicatedWorld;
let backend: ReplicatedBackend;

beforeAll(async () => {
  replicated = await createReplicatedWorld();
  backend = await openReplicatedBackend(replicated, [replicated.replicaUrl]);
});

beforeEach(() => backend.untilUsed());

afterEach(async () => {
  await replicated.askReplica('select case when pg_is_in_recovery() then pg_wal_replay_resume() end');
});

afterAll(async () => {
  await backend.close();
  await replicated.close();
});

/** The hostnames in an organization, by preview. */
async function hostnames({ matcher }: Pick<PostgresBackend, 'matcher'>, scope?: AccessScope) {
  const request = requestFor(ANY, { scope: scope ?? orgScope(replicated.orgId) });
  const found = await matcher.preview(request, 100);
  return found.ok ? found.value.devices.map(({ hostname }) => hostname) : found.error.kind;
}

/** What the work adds to the counts. */
async function countsOf(work: () => Promise<unknown>) {
  const before = backend.use();
  await work();
  const { reads, passedOver } = backend.use();
  const added = Object.entries(passedOver).map(([reason, count]) => [
    reason,
    count - before.passedOver[reason as keyof typeof passedOver],
  ]);
  return {
    primary: reads.primary - before.reads.primary,
    replica: reads.replica - before.reads.replica,
    ...Object.fromEntries(added.filter(([, count]) => count !== 0)),
  };
}

function evaluationPools() {
  return backend.pools().filter(({ pool }) => pool === 'evaluation');
}

function hostOf(url: string): string {
  return new URL(url).host;
}

const PAGE = {
  ...requestFor(ANY),
  sort: { key: 'hostname', isDescending: false },
  limit: 10,
  after: null,
  offset: 0,
  withCount: true,
  columns: [],
} as const;

function anExport(field = 'hostname') {
  const columns = parseExportFields([field], CORE_CATALOG);
  if (!columns.ok) throw new Error('the fields were refused');
  return { ...requestFor(ANY), columns: columns.value };
}

describe('who answers', () => {
  const SEARCH = {
    text: 'dev',
    scope: SYSTEM_SCOPE,
    limit: 5,
    categories: ['devices'],
    onBehalfOf: 'a',
  } as const;

  test.each<[string, (ports: PostgresBackend) => Promise<unknown>]>([
    ['a preview', (ports) => hostnames(ports)],
    [
      'a preview in one snapshot',
      (ports) =>
        ports.matcher.preview(
          requestFor(and({ field: 'software.installed', operator: 'notContains', value: 'zoom' })),
          1,
        ),
    ],
    ['a page of devices', ({ deviceReader }) => deviceReader.page(PAGE)],
    ['a search', ({ searcher }) => searcher.search(SEARCH)],
    ['an export', ({ deviceExporter }) => Array.fromAsync(deviceExporter(anExport()))],
    ['a look-up', ({ filters }) => Array.fromAsync(filters.list(SYSTEM_SCOPE))],
    [
      'the summary',
      ({ fleetCounter }) => fleetCounter.organizations({ scope: SYSTEM_SCOPE, onBehalfOf: 'a' }),
    ],
  ])('%s comes from the replica if it may lag, and otherwise from the primary', async (_, read) => {
    expect(await countsOf(() => backend.lagging(() => read(backend)))).toStrictEqual({
      primary: 0,
      replica: 1,
    });
    expect(await countsOf(() => backend.changing(() => read(backend)))).toStrictEqual({
      primary: 1,
      replica: 0,
    });
    expect(await countsOf(() => read(backend))).toStrictEqual({ primary: 1, replica: 0 });
  });

  test('tenants are isolated on the replica as well', async () => {
    const other = await createTenant(replicated.world.backend);
    await loadFleet(replicated.world.backend, [aDevice({ orgId: other.orgId, hostname: 'theirs' })]);
    await replicated.caughtUp();
    const seen = () => backend.lagging(() => hostnames(backend, orgScope(other.orgId)));
    expect(await countsOf(async () => expect(await seen()).toStrictEqual(['theirs']))).toMatchObject({
      replica: 1,
    });
    expect(await backend.lagging(() => hostnames(backend))).not.toContain('theirs');
  });

  test('audit entries are always written to the primary', async () => {
    const entry = anAuditEntry();
    await backend.lagging(() => backend.auditLog(entry));
    const rows = await replicated.world.query('owner', 'select from audit_log where id = $1', [entry.id]);
    expect(rows).toHaveLength(1);
  });
});

describe('a replica that is behind', () => {
  test('answers with the data that it has while its lag is within the limit', async () => {
    await replicated.askReplica('select pg_wal_replay_pause()');
    await replicated.addDevice('late');
    expect(await backend.lagging(() => hostnames(backend))).not.toContain('late');
    expect(await hostnames(backend)).toContain('late');
  });

  test('does not answer a caller that has seen more until it has caught up', async () => {
    await replicated.askReplica('select pg_wal_replay_pause()');
    const device = aDevice({ orgId: replicated.orgId, hostname: 'seen' });
    const seen = await backend.changing(() => loadFleet(backend, [device]));
    expect(seen).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
    const look = async () => expect(await backend.lagging(() => hostnames(backend), seen)).toContain('seen');
    expect(await countsOf(look)).toStrictEqual({ primary: 1, replica: 0, behind: 1 });
    await replicated.askReplica('select pg_wal_replay_resume()');
    await replicated.caughtUp();
    expect(await countsOf(look)).toStrictEqual({ primary: 0, replica: 1 });
  });

  test('hides no change when changes follow each other closely', async () => {
    // Changes that follow each other closely: whichever server answers, none is missed.
    for (let i = 0; i < 10; i++) {
      const device = aDevice({ orgId: replicated.orgId, hostname: `close-${i}` });
      const seen = await backend.changing(() => loadFleet(backend, [device]));
      expect(await backend.lagging(() => hostnames(backend), seen)).toContain(`close-${i}`);
    }
  });

  test('leaves a read at a position that no server has reached to the primary', async () => {
    const seen = parsePosition('FFFFFFFF/FFFFFFFF');
    const counts = await countsOf(() => backend.lagging(() => hostnames(backend), seen));
    expect(counts).toStrictEqual({ primary: 1, replica: 0, behind: 1 });
  });

  test('only a request that commits has a position', async () => {
    expect(await backend.changing(() => hostnames(backend))).toBeNull();
    expect(await backend.changing(() => backend.unitOfWork(SYSTEM_SCOPE, async () => null))).not.toBeNull();
  });

  test('is passed over when it lags too much, but not when nothing happens', async () => {
    const strict = await openReplicatedBackend(replicated, [replicated.replicaUrl], 1_500);
    await strict.untilUsed();
    await setTimeout(1_800);
    expect(strict.use().replicas).toMatchObject([{ isUsed: true, lagMs: 0 }]);
    await replicated.world.query('owner', 'select pg_switch_wal()');
    await setTimeout(1_800);
    expect(strict.use().replicas).toMatchObject([{ isUsed: true, lagMs: 0 }]);

    await replicated.askReplica('select pg_wal_replay_pause()');
    await replicated.addDevice('too late');
    const isBehind = /^it is \d+ ms behind$/;
    await until(async () => strict.changes.some((change) => isBehind.test(change)));
    expect(await strict.lagging(() => hostnames(strict))).toContain('too late');
    expect(strict.use().replicas[0]?.lagMs).toBeGreaterThan(1_500);

    await replicated.askReplica('select pg_wal_replay_resume()');
    await strict.untilUsed();
    expect(await strict.lagging(() => hostnames(strict))).toContain('too late');
    expect(strict.changes.at(-1)).toBe('used');
    await strict.close();
  });
});

describe('a replica that is lost', () => {
  test('is passed over when it stops, not asked while it is away, and used again when it is back', async () => {
    const before = backend.changes.length;
    expect(await backend.lagging(() => hostnames(backend))).toContain('seen');
    await replicated.server.stopReplica();
    expect(await backend.lagging(() => hostnames(backend))).toContain('seen');
    await backend.untilUsed(false);
    const counts = await countsOf(async () => {
      for (let i = 0; i < 10; i++) await backend.lagging(() => hostnames(backend));
    });
    expect(counts).toStrictEqual({ primary: 10, replica: 0 });
    await replicated.server.startReplica();
    await backend.untilUsed();
    expect(await countsOf(() => backend.lagging(() => hostnames(backend)))).toMatchObject({ replica: 1 });
    expect(backend.changes.slice(before).at(-1)).toBe('used');
  });

  test('is asked on new connections after its connections are cut', async () => {
    await backend.lagging(() => hostnames(backend));
    await replicated.askReplica(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'fleetsift %'`,
    );
    expect(await backend.lagging(() => hostnames(backend))).toContain('seen');
    await backend.untilUsed();
    expect(await countsOf(() => backend.lagging(() => hostnames(backend)))).toMatchObject({ replica: 1 });
  });

  test('holds nobody up when it freezes: the primary answers instead', async () => {
    const proxy = await startPausableProxy(replicated.replicaUrl);
    const frozen = await openReplicatedBackend(replicated, [proxy.url]);
    await frozen.untilUsed();
    await frozen.lagging(() => hostnames(frozen));
    proxy.pause();
    expect(await frozen.lagging(() => hostnames(frozen))).toContain('seen');
    expect(frozen.use()).toMatchObject({ replicas: [{ isUsed: false }], passedOver: { unreachable: 1 } });
    proxy.resume();
    await frozen.untilUsed();
    expect(frozen.changes.at(-1)).toBe('used');
    await frozen.close();
    await proxy.close();
  });

  test('leaves everything to the primary if it was never reachable', async () => {
    const alone = await openReplicatedBackend(replicated, ['postgres://127.0.0.1:1/nowhere']);
    await alone.lagging(() => hostnames(alone));
    await until(async () => alone.changes.length > 0);
    expect(await alone.lagging(() => hostnames(alone))).toContain('seen');
    expect(alone.changes).toStrictEqual([expect.stringContaining('ECONNREFUSED')]);
    expect(await alone.readiness()).toStrictEqual({
      database: true,
      writable: true,
      migrations: true,
      role: true,
    });
    await alone.close();
  });

  test('is not ready as a database, because nothing can be changed there', async () => {
    const { host, port } = new Client({ connectionString: replicated.replicaUrl });
    const pool = new Pool({ ...replicated.world.connection('app'), host, port });
    const readiness = await checkReadiness(pool);
    await pool.end();
    expect(readiness).toStrictEqual({ database: true, writable: false, migrations: true, role: true });
  });

  test('does not keep the other of two replicas from being asked', async () => {
    const two = await openReplicatedBackend(replicated, [
      'postgres://127.0.0.1:1/nowhere',
      replicated.replicaUrl,
    ]);
    await two.lagging(async () => undefined);
    await until(async () => two.use().replicas[1]?.isUsed === true);
    await two.lagging(() => hostnames(two));
    expect(two.use().reads).toStrictEqual({ primary: 0, replica: 1 });
    await two.close();
  });

  test('the primary is not used as a replica of itself', async () => {
    const self = await openReplicatedBackend(replicated, [replicated.world.url]);
    await self.lagging(() => hostnames(self));
    await until(async () => self.changes.length > 0);
    expect(self.changes).toStrictEqual(['it is no replica, or no more']);
    await self.close();
  });
});

describe('a conflict with replay', () => {
  /** Whether the replica works on a read of ours. */
  const isReading = async (state: string) => {
    const sql = `select from pg_stat_activity where usename like '%\\_reader' and state = $1`;
    return (await replicated.askReplica(sql, [state])).length > 0;
  };

  /** Locks the table against readers on the primary, and so on the replica; and makes the hostnames there short. */
  async function lockDevices(orgId: OrgId | null): Promise<void> {
    const owner = new Client({ connectionString: replicated.world.url });
    await owner.connect();
    await owner.query('begin');
    await owner.query('lock table device in access exclusive mode');
    await owner.query('update device set hostname = left(hostname, 5) where org_id = $1', [orgId]);
    await owner.query('commit');
    await owner.end();
  }

  test('ends the read on the replica, and the primary answers', async () => {
    const { orgId } = await createTenant(replicated.world.backend);
    const devices = Array.from({ length: 500 }, () => aDevice({ orgId, hostname: 'a'.repeat(100) }));
    await loadFleet(replicated.world.backend, devices);
    await replicated.caughtUp();
    const slow = requestFor(and({ field: 'hostname', operator: 'matches', value: SLOW_PATTERN }), {
      scope: orgScope(orgId),
    });
    const counts = await countsOf(async () => {
      const looking = backend.lagging(() => backend.matcher.preview(slow, 1));
      await until(() => isReading('active'));
      expect(evaluationPools()).toMatchObject([
        { inUse: 0 },
        { inUse: 1, replica: hostOf(replicated.replicaUrl) },
      ]);
      await lockDevices(orgId);
      expect(await looking).toMatchObject({ ok: true, value: { totalCount: 0 } });
    });
    expect(evaluationPools()).toMatchObject([{ inUse: 0 }, { inUse: 0 }]);
    expect(counts).toStrictEqual({ primary: 1, replica: 0, conflict: 1 });
    expect(backend.use().replicas).toMatchObject([{ isUsed: true }]);
  });

  test('ends a stream that has begun instead of starting it again, and gives no device twice', async () => {
    const { orgId } = await createTenant(replicated.world.backend);
    await loadFleet(
      replicated.world.backend,
      Array.from({ length: 3_000 }, () => aDevice({ orgId })),
    );
    await replicated.caughtUp();
    const ids: unknown[] = [];
    const request = { ...anExport('id'), scope: orgScope(orgId) };
    const taking = backend.lagging(async () => {
      for await (const batch of backend.deviceExporter(request)) {
        const isFirst = ids.length === 0;
        ids.push(...batch.map(([id]) => id));
        if (!isFirst) continue;
        await lockDevices(null);
        await until(async () => !(await isReading('idle in transaction')));
      }
    });
    await expect(taking).rejects.toThrow();
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeLessThan(3_000);
    await backend.untilUsed();
    expect(await countsOf(() => backend.lagging(() => hostnames(backend)))).toMatchObject({ replica: 1 });
  });
});

describe('the service', () => {
  const CONDITIONS = and({ field: 'hostname', operator: 'isNotNull' });
  const lines: [string, object][] = [];
  const note = (facts: object, message: string) => void lines.push([message, facts]);
  const ignore = () => undefined;
  let service: Composition;
  const metrics = makeMetrics('1.2.3');

  beforeAll(async () => {
    const { world, replicaUrl } = replicated;
    service = await compose(
      {
        databaseUrl: world.url,
        migrate: false,
        replicaUrls: [replicaUrl],
        replicaMaxLagMs: MUCH_LAG_MS,
        metrics,
      },
      { log: { debug: ignore, info: note, warn: note, error: note } },
    );
    checkAnswers(service.app);
  });
  afterAll(() => service.close());

  /** Somebody of the organization, whom the replica need not know. */
  async function newCaller() {
    const user = aUser({ membership: { scope: 'organization', orgId: replicated.orgId } });
    const key = anApiKey({ userId: user.id });
    await loadFleet(replicated.world.backend, [user, key]);
    return async (method: string, path: string, body?: object, seen: string | null = null) =>
      service.app.request(`/api/v1${path}`, {
        method,
        headers: {
          'X-API-Key': key.key,
          'Content-Type': 'application/json',
          ...(seen !== null && { 'X-Fleetsift-Position': seen }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
  }

  /** Asks until the replica is used. */
  async function untilItIsUsed(ask: Awaited<ReturnType<typeof newCaller>>): Promise<void> {
    await until(async () => {
      await ask('GET', '/devices');
      return lines.some(([message]) => message === 'replica is used');
    });
  }

  test('a change is seen by callers that send its position back, and may be missed by others', async () => {
    const ask = await newCaller();
    await untilItIsUsed(ask);
    await replicated.askReplica('select pg_wal_replay_pause()');
    const created = await ask('POST', '/filters', { name: 'New', conditions: CONDITIONS });
    const { id } = (await created.json()) as { id: string };
    const seen = created.headers.get('X-Fleetsift-Position');
    expect([created.status, seen]).toStrictEqual([201, expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/)]);

    const missed = await ask('GET', `/filters/${id}`);
    expect([missed.status, missed.headers.get('X-Fleetsift-Position')]).toStrictEqual([404, null]);
    expect((await ask('GET', `/filters/${id}`, undefined, seen)).status).toBe(200);
    expect((await ask('POST', `/filters/${id}/preview`, undefined, seen)).status).toBe(200);
    // A change reads from the primary, even if no position is sent.
    expect((await ask('PATCH', `/filters/${id}`, { name: 'Newer' })).status).toBe(200);
    expect((await ask('DELETE', `/filters/${id}`)).headers.get('X-Fleetsift-Position')).not.toBeNull();
  });

  test('admits a caller whom only the primary knows', async () => {
    await replicated.askReplica('select pg_wal_replay_pause()');
    const ask = await newCaller();
    expect((await ask('GET', '/devices')).status).toBe(200);
    expect((await ask('POST', '/filters/preview', { conditions: CONDITIONS })).status).toBe(200);
  });

  test('reports the use of the replica in its log and metrics', async () => {
    const ask = await newCaller();
    const replica = new URL(replicated.replicaUrl).host;
    await untilItIsUsed(ask);
    expect(lines).toContainEqual(['replica is used', { replica }]);
    await ask('GET', '/devices');
    const text = await metrics.print();
    expect(text).toContain(`fleetsift_replica_used{replica="${replica}"} 1`);
    expect(text).toMatch(new RegExp(`fleetsift_replica_lag_seconds\\{replica="${replica}"\\} \\d`));
    expect(text).toMatch(/fleetsift_reads_total\{server="replica"\} [1-9]/);
    expect(text).toMatch(/fleetsift_replica_passed_over_total\{reason="behind"\} [1-9]/);
    await replicated.server.stopReplica();
    expect((await ask('GET', '/devices')).status).toBe(200);
    await until(async () => lines.some(([message]) => message === 'replica is passed over'));
    expect(lines).toContainEqual(['replica is passed over', { replica, reason: expect.any(String) }]);
    expect((await service.app.request('/readyz')).status).toBe(200);
    await replicated.server.startReplica();
  });
});

describe('a replica that is promoted', () => {
  test('is no longer used: reads come from the primary', async () => {
    await replicated.askReplica('select pg_promote()');
    await backend.untilUsed(false);
    expect(backend.changes.at(-1)).toBe('it is no replica, or no more');
    await replicated.addDevice('after');
    expect(await backend.lagging(() => hostnames(backend))).toContain('after');
  });
});
