/** The audit log on PostgreSQL: written in groups, durable, and separate for each tenant. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { terminate } from '#test/adapters/postgres/reads/slow-fleet.ts';
import {
  anAuditEntry,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { createTenant } from '#test/support/tenant.ts';

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});

afterAll(() => world.close());

/** The number of recorded entries, and of their transactions. */
async function recorded(entries: readonly AuditEntry[]) {
  const [row] = await world.query<{ entries: number; ids: number; transactions: number }>(
    'owner',
    `select count(*)::int as entries, count(distinct id)::int as ids, count(distinct xmin::text)::int as transactions
     from audit_log where id = any($1)`,
    [entries.map(({ id }) => id)],
  );
  return row;
}

/** Entries about one resource, newest first. */
function read(scope: AccessScope, resourceId: string) {
  return world.backend.readAuditEntries(scope, {
    action: null,
    actorIds: null,
    orgId: null,
    result: null,
    resourceId,
    from: null,
    to: null,
    after: null,
    limit: 1_000,
  });
}

function outcomeOf(entry: AuditEntry): Promise<unknown> {
  return world.backend.auditLog(entry).then(
    () => 'recorded',
    (error: unknown) => (isDatabaseUnavailable(error) ? 'unavailable' : error),
  );
}

/** Processes of the service that wait for a lock. */
async function waitingForLocks(): Promise<number[]> {
  const rows = await world.query<{ pid: number }>(
    'owner',
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.map(({ pid }) => pid);
}

describe('audit entries that are given at once', () => {
  test('are recorded once each, a thousand of them in a few transactions', async () => {
    const entries = Array.from({ length: 1_000 }, (_, i) => anAuditEntry({ details: { i } }));
    await Promise.all(entries.map((entry) => world.backend.auditLog(entry)));
    const { transactions, ...counts } = (await recorded(entries)) ?? { transactions: 0 };
    expect(counts).toStrictEqual({ entries: 1_000, ids: 1_000 });
    expect(transactions).toBeLessThanOrEqual(10);
  });

  test('keep their content and order', async () => {
    const resourceId = newId();
    const entries = Array.from({ length: 300 }, (_, i) =>
      anAuditEntry({
        at: SOME_INSTANT + Math.floor(i / 3),
        actor: i % 2 === 0 ? { type: 'system', id: null } : { type: 'api_key', id: newId() },
        orgId: newId(),
        partnerId: i % 5 === 0 ? newId() : null,
        result: i % 7 === 0 ? 'denied' : 'success',
        resourceId,
        details: { i, text: `line\n${i} 🖨 "\\`, list: ['b', 'a'], none: null, is: true },
        requestId: `request-${i}`,
        ip: i % 2 === 0 ? '2001:db8::7' : null,
      }),
    );
    await Promise.all(entries.map((entry) => world.backend.auditLog(entry)));
    expect(await read(SYSTEM_SCOPE, resourceId)).toStrictEqual(entries.toReversed());
  });
});

describe('an audit entry that fails', () => {
  test('is reported to its caller if its connection is killed, and the next ones are recorded', async () => {
    const [lost, ...next] = Array.from({ length: 20 }, () => anAuditEntry()) as [AuditEntry, ...AuditEntry[]];
    const given: Promise<unknown>[] = [];
    await world.connected('owner', async (owner) => {
      await owner.query('begin; lock table audit_log in access exclusive mode');
      given.push(outcomeOf(lost));
      await until(async () => (await waitingForLocks()).length === 1);
      given.push(...next.map(outcomeOf));
      await terminate(world, await waitingForLocks());
      await owner.query('rollback');
    });
    expect(await Promise.all(given)).toStrictEqual(['unavailable', ...next.map(() => 'recorded')]);
    expect(await recorded([lost])).toStrictEqual({ entries: 0, ids: 0, transactions: 0 });
    expect((await recorded(next))?.entries).toBe(next.length);
  });

  test('is reported to its caller if it cannot be stored, and the next one is recorded', async () => {
    const entry = anAuditEntry();
    await world.backend.auditLog(entry);
    await expect(world.backend.auditLog(entry)).rejects.toThrow(/_pkey/);
    expect(await outcomeOf(anAuditEntry())).toBe('recorded');
    expect((await recorded([entry]))?.entries).toBe(1);
  });
});

describe('the audit entries of a tenant', () => {
  test('are read only in scopes that reach them', async () => {
    const [own, other] = [await createTenant(world.backend), await createTenant(world.backend)];
    const resourceId = newId();
    const ofOrganization = anAuditEntry({ orgId: own.orgId, resourceId, at: SOME_INSTANT });
    const ofStaff = anAuditEntry({ partnerId: own.partnerId, resourceId, at: SOME_INSTANT + 1 });
    const ofSystem = anAuditEntry({ resourceId, at: SOME_INSTANT + 2 });
    for (const entry of [ofOrganization, ofStaff, ofSystem]) await world.backend.auditLog(entry);
    const reaches: readonly (readonly [AccessScope, readonly AuditEntry[]])[] = [
      [orgScope(own.orgId), [ofOrganization]],
      [partnerScope(own.partnerId, own.orgIds), [ofStaff, ofOrganization]],
      [orgScope(other.orgId), []],
      [partnerScope(other.partnerId, other.orgIds), []],
      [SYSTEM_SCOPE, [ofSystem, ofStaff, ofOrganization]],
    ];
    for (const [scope, expected] of reaches) {
      expect(await read(scope, resourceId)).toStrictEqual(expected);
    }
  });

  test('are hidden without a scope, and the reading role has no access to them', async () => {
    await world.backend.auditLog(anAuditEntry());
    expect(await world.query('app', 'select 1 from audit_log')).toStrictEqual([]);
    await expect(world.query('reader', 'select 1 from audit_log')).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a server that is killed', () => {
  let killed: PostgresWorld;
  let dataDir: string;
  let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'fleetsift-test-audit-'));
    server = await startEmbeddedPostgres({ dataDir });
    killed = await createPostgresWorld(server.url);
  });

  afterAll(async () => {
    await killed.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  // With synchronous_commit off, most of them would be lost here.
  test('has every confirmed audit entry when it is back', async () => {
    const entries = Array.from({ length: 50 }, () => anAuditEntry());
    for (const entry of entries) await killed.backend.auditLog(entry);
    const [line] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(line), 'SIGKILL');
    const idsOnRecord = async () => {
      const rows = await killed.query<{ id: string }>('owner', 'select id from audit_log order by id');
      return rows.map(({ id }) => id);
    };
    await until(() =>
      idsOnRecord().then(
        () => true,
        () => false,
      ),
    );
    expect(await idsOnRecord()).toStrictEqual(entries.map(({ id }) => id));
  });
});
