/** What agents report every minute: written in place, in the device's row and in its state, with no index touched. */
import type { Client, PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { noteContact } from '#adapters/postgres/bulk/inventories/contacts.ts';
import { aDevice, anInventory, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** What changes from one heartbeat to the next. */
const VOLATILE = ['last_seen_at', 'cpu_percent', 'ram_percent', 'disk_percent', 'uptime_seconds'] as const;

/** What a heartbeat writes: the device, and what a trigger keeps beside it. */
const TABLES = ['device', 'device_state'] as const;

const HEARTBEAT = `update device set cpu_percent = $2, ram_percent = $2, disk_percent = $2,
  uptime_seconds = coalesce(uptime_seconds, 0) + 60`;

/** Some devices of a hundred pages. */
const FLEET_SIZE = 3_000;
const ids = Array.from({ length: FLEET_SIZE }, () => newId<'device'>());

/** Some ten times as many versions of a row as a page has room for. */
const BEATS = 400;

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  const { orgId } = await createTenant(world.backend);
  await loadFleet(
    world.backend,
    ids.map((id, i) =>
      aDevice({
        id,
        orgId,
        hostname: `machine-${i}`,
        displayName: `Machine ${i}`,
        tags: ['production'],
        osType: 'windows',
        lastSeenAt: 0,
        metrics: { cpuPercent: 1, ramPercent: 1, diskPercent: 1 },
        uptimeSeconds: 1,
        patches: [{ id: null, title: 'KB1', status: 'pending' }],
      }),
    ),
  );
  // Heartbeats use the room that the load has left, and no vacuum runs during a test.
  for (const table of TABLES) {
    await world.query('owner', `alter table ${table} set (autovacuum_enabled = off)`);
  }
});

afterAll(() => world.close());

interface Updates {
  readonly table: string;
  readonly updates: number;
  readonly hot: number;
}

/** Sends heartbeats in one transaction that is rolled back, and counts the updates of each table. */
async function beat(targets: readonly string[], statement = HEARTBEAT): Promise<readonly Updates[]> {
  return world.connected('app', async (client) => {
    await client.query('begin');
    await client.query(`select set_config('app.scope', 'system', true)`);
    for (const id of targets) await client.query(`${statement} where id = $1`, [id, 42.5]);
    const { rows } = await client.query<Updates>(
      `select relname as table, n_tup_upd::int as updates, n_tup_hot_upd::int as hot from pg_stat_xact_user_tables
       where relname in ('device', 'device_state', 'device_names', 'device_search') and n_tup_upd > 0 order by 1`,
    );
    await client.query('rollback');
    return rows;
  });
}

/** Every tenth: no page has more of them than it has room for. */
const FEW = ids.filter((_, i) => i % 10 === 0);

describe('a heartbeat', () => {
  test('is heap-only: it writes to no index', async () => {
    expect(await beat(FEW)).toStrictEqual(
      TABLES.map((table) => ({ table, updates: FEW.length, hot: FEW.length })),
    );
  });

  test('is not heap-only if it changes an indexed column', async () => {
    const renaming = `update device set hostname = hostname || $2::text`;
    expect(await beat(FEW, renaming)).toStrictEqual([{ table: 'device', updates: FEW.length, hot: 0 }]);
  });

  test('is heap-only again and again, as old versions make room for new ones', async () => {
    const pages: number[] = [];
    await world.connected('app', async (client) => {
      for (let i = 0; i < BEATS; i++) {
        await client.query('begin');
        await client.query(`select set_config('app.scope', 'system', true)`);
        const { rows } = await client.query<{ page: number }>(
          `${HEARTBEAT} where id = $1 returning (ctid::text::point)[0]::int as page`,
          [ids[0], i],
        );
        pages.push(...rows.map(({ page }) => page));
        await client.query('commit');
      }
    });
    expect(pages).toHaveLength(BEATS);
    // A page that is being written to disk is not tidied up at that moment, and may be full; so now and then one moves.
    const moves = pages.filter((page, i) => i > 0 && page !== pages[i - 1]).length;
    expect(moves).toBeLessThan(BEATS / 20);
  });
});

describe('a contact of an agent', () => {
  test('writes one narrow row, in place, and nothing else', async () => {
    const { orgId } = await createTenant(world.backend);
    const { inventoryStore } = world.backend;
    const agents = Array.from({ length: 10 }, () => anInventory());
    for (const inventory of agents) {
      const reading = { orgId, siteId: null, source: 'report', inventory, ip: '203.0.113.7' } as const;
      await inventoryStore.store({ ...reading, makesContact: true, now: SOME_INSTANT });
    }
    const rows = await world.connected('app', async (client) => {
      await client.query('begin');
      await client.query(`select set_config('app.scope', 'system', true)`);
      for (const { inventoryId } of agents) {
        const contact = { orgId, inventoryId, ip: '203.0.113.7', now: SOME_INSTANT + 1_000 };
        expect(await noteContact(client as PoolClient, contact)).toStrictEqual({
          inventoriedAt: SOME_INSTANT,
        });
      }
      const { rows } = await client.query(
        `select relname as table, (n_tup_ins + n_tup_upd + n_tup_del)::int as rows, n_tup_hot_upd::int as hot
         from pg_stat_xact_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0`,
      );
      await client.query('rollback');
      return rows;
    });
    expect(rows).toStrictEqual([{ table: 'device_state', rows: 10, hot: 10 }]);
  });
});

describe.each(TABLES)('the table %s', (table) => {
  /** Each index with each volatile column that it has as a key, beside it, in an expression or in a condition. */
  async function volatileIndexes(client: Client): Promise<readonly string[]> {
    const { rows } = await client.query<{ found: string }>(
      `select i.indexrelid::regclass || ' ' || a.attname as found
       from pg_index i
       join pg_attribute a on a.attrelid = i.indrelid and a.attname = any($1)
       where i.indrelid = $2::regclass and (a.attnum = any(i.indkey) or exists (
         select 1 from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
           and d.refclassid = 'pg_class'::regclass and d.refobjid = i.indrelid and d.refobjsubid = a.attnum))
       order by 1`,
      [VOLATILE, table],
    );
    return rows.map(({ found }) => found);
  }

  test('has no index with a volatile column', async () => {
    expect(await world.connected('owner', volatileIndexes)).toStrictEqual([]);
  });

  test.each([
    ['key', '(last_seen_at)', 'last_seen_at'],
    ['column beside the key', '(id) include (cpu_percent)', 'cpu_percent'],
    ['part of an expression', '((ram_percent + 1))', 'ram_percent'],
    ['part of a condition', '(id) where disk_percent > 90', 'disk_percent'],
  ])('is found to have an index with a volatile column as a %s', async (_what, definition, column) => {
    await world.connected('owner', async (client) => {
      await client.query(`begin; create index volatile_index on ${table} ${definition}`);
      expect(await volatileIndexes(client)).toStrictEqual([`volatile_index ${column}`]);
      await client.query('rollback');
    });
  });

  test('leaves room on each page for heartbeats', async () => {
    const [{ options } = { options: [] }] = await world.query<{ options: string[] }>(
      'owner',
      `select reloptions as options from pg_class where oid = $1::regclass`,
      [table],
    );
    expect(options).toContain('fillfactor=85');
  });
});
