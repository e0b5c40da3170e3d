/** Software titles are counted, and removed when no machine has them. */
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { holdTitlesOfLoad } from '#adapters/postgres/bulk/loads/load-titles.ts';
import { makeUnusedTitleRemover } from '#adapters/postgres/bulk/upkeep/unused-titles.ts';
import { makeUnusedTitlesJob } from '#application/fleet/fleet-jobs.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';
import { MAX_TITLES_PER_ORGANIZATION } from '#domain/limits.ts';
import { err } from '#domain/result.ts';
import { aDevice, anInventory, movableClock, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { reportInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

const MINUTE_MS = 60_000;

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});

afterAll(() => world.close());

const titles = (...names: readonly string[]): readonly InstalledSoftware[] =>
  names.map((name) => ({ name, version: '1' }));

const report = ({ orgId }: Tenant, inventoryId: string, software: readonly InstalledSoftware[]) =>
  reportInventory(world.backend, orgId, anInventory({ software }, { inventoryId }), SOME_INSTANT);

/** The names that are in the catalogue. */
async function known(...names: readonly string[]): Promise<readonly string[]> {
  const rows = await world.query<{ name: string }>(
    'owner',
    'select name from software_title where name = any($1) order by name',
    [names],
  );
  return rows.map(({ name }) => name);
}

/** Each organization's count matches its list, and the list has all titles of its devices. */
async function expectConsistent(): Promise<void> {
  const miscounted = await world.query(
    'owner',
    `select o.org_id, o.titles, o.versions, o.name_bytes, to_jsonb(c) as counted
     from organization_titles o full join (
       select s.org_id, count(t.id) as titles, count(v.id) as versions,
         sum(octet_length(coalesce(t.name, v.version))) as name_bytes
       from organization_software s left join software_title t on t.id = s.title_id
       left join software_version v on v.id = s.title_id and v.title_id = s.version_of group by s.org_id
     ) c on c.org_id = o.org_id
     where (coalesce(o.titles, 0), coalesce(o.versions, 0), coalesce(o.name_bytes, 0))
       <> (coalesce(c.titles, 0), coalesce(c.versions, 0), coalesce(c.name_bytes, 0))`,
  );
  expect(miscounted).toStrictEqual([]);
  const missing = await world.query(
    'owner',
    `select s.device_id, u.title_id from device_software s cross join unnest(s.title_ids) u(title_id)
     left join organization_software o on o.title_id = u.title_id and o.org_id = s.org_id
     left join software_title t on t.id = u.title_id left join software_version v on v.id = u.title_id
     where o.title_id is null or coalesce(t.id, v.id) is null`,
  );
  expect(missing).toStrictEqual([]);
}

async function removeAll(): Promise<void> {
  while ((await world.backend.removeUnusedTitles(100)) > 0);
}

describe('a refused report leaves no title', () => {
  const COUNT = 'select count(*)::int as titles, max(id) as last from software_title';

  test('if the machine is unknown', async () => {
    const tenant = await createTenant(world.backend);
    const before = await world.query('owner', COUNT);
    const inventory = {
      ...anInventory({}, { inventoryId: 'unknown' }),
      kind: 'partial' as const,
      fields: { software: titles(...Array.from({ length: 5_000 }, (_, i) => `refused ${i}`)) },
    };
    const outcome = await reportInventory(world.backend, tenant.orgId, inventory, SOME_INSTANT);
    expect(outcome).toStrictEqual(err('unknown-device'));
    expect(await world.query('owner', COUNT)).toStrictEqual(before);
  });

  test('if the organization would exceed its limit of titles', async () => {
    const tenant = await createTenant(world.backend);
    expect((await report(tenant, 'pc-1', titles('kept'))).ok).toBe(true);
    const setCount = (titleCount: number) =>
      world.query('owner', 'update organization_titles set titles = $2 where org_id = $1', [
        tenant.orgId,
        titleCount,
      ]);
    await setCount(MAX_TITLES_PER_ORGANIZATION - 1);
    const before = await world.query('owner', COUNT);
    const refused = err('too-many-titles');
    expect(await report(tenant, 'pc-2', titles('kept', 'one', 'two'))).toStrictEqual(refused);
    expect(await world.query('owner', COUNT)).toStrictEqual(before);
    expect((await report(tenant, 'pc-2', titles('kept', 'one'))).ok).toBe(true);
    expect(await report(tenant, 'pc-2', titles('kept', 'one', 'two'))).toStrictEqual(refused);
    // The machine's own lost title makes room for another.
    expect((await report(tenant, 'pc-2', titles('kept', 'two'))).ok).toBe(true);
    await setCount(2);
    await removeAll();
    await expectConsistent();
  });
});

describe('titles that no device has', () => {
  test('are removed within a minute of the clock, and titles in use stay', async () => {
    const { clock, moveTo } = movableClock();
    const never = new AbortController().signal;
    const { removeUnusedTitles } = world.backend;
    const job = makeUnusedTitlesJob({ removeUnusedTitles, clock });
    const run = () => job.run({ stopping: never, aborting: never });
    const [tenant, other] = [await createTenant(world.backend), await createTenant(world.backend)];
    await report(tenant, 'pc-1', titles('mine', 'shared', 'common'));
    await report(tenant, 'pc-2', titles('common'));
    await report(other, 'pc-1', titles('shared'));
    const device = aDevice({ orgId: tenant.orgId, software: titles('loaded', 'common') });
    await loadFleet(world.backend, [device]);
    await run();
    const all = ['common', 'loaded', 'mine', 'shared'];
    expect(await known(...all)).toStrictEqual(all);

    await report(tenant, 'pc-1', titles('new'));
    await loadFleet(world.backend, [{ ...device, software: [] }]);
    moveTo(SOME_INSTANT + MINUTE_MS);
    await run();
    expect(await known(...all, 'new')).toStrictEqual(['common', 'new', 'shared']);
    const noted = await world.query(
      'owner',
      `select t.name from organization_software o join software_title t on t.id = o.title_id
       where o.org_id = $1 order by t.name`,
      [tenant.orgId],
    );
    expect(noted).toStrictEqual([{ name: 'common' }, { name: 'new' }]);
    await expectConsistent();
    expect(await world.query('owner', 'select 1 from lost_title')).toStrictEqual([]);
  });

  test('are removed after the last device with them is deleted, and after a refused load', async () => {
    const tenant = await createTenant(world.backend);
    await report(tenant, 'pc-1', titles('of a device'));
    await world.query('owner', 'delete from device where org_id = $1', [tenant.orgId]);
    const refused = [
      aDevice({ orgId: tenant.orgId, software: titles('of a load') }),
      aDevice({ orgId: newId() }),
    ];
    await expect(loadFleet(world.backend, refused)).rejects.toThrow('the fleet was refused');
    expect(await known('of a load')).toHaveLength(1);
    await removeAll();
    expect(await known('of a device', 'of a load')).toStrictEqual([]);
    await expectConsistent();
  });

  test('stay during a load, which may be about to use them', async () => {
    const tenant = await createTenant(world.backend);
    await expect(
      loadFleet(world.backend, [
        aDevice({ orgId: tenant.orgId, software: titles('under way') }),
        aDevice({ orgId: newId() }),
      ]),
    ).rejects.toThrow('the fleet was refused');
    const pool = new Pool(world.connection('app'));
    const load = await pool.connect();
    try {
      await load.query('begin');
      await holdTitlesOfLoad(load);
      await removeAll();
      expect(await known('under way')).toHaveLength(1);
      await load.query('commit');
    } finally {
      load.release();
      await pool.end();
    }
    await removeAll();
    expect(await known('under way')).toStrictEqual([]);
  });

  test('are found by an index in an organization with very many devices', async () => {
    const tenant = await createTenant(world.backend);
    for (const n of [1, 2, 3])
      await report(tenant, `pc-${n}`, titles('everywhere', `rare ${n}`, `lost ${n}`));
    for (const n of [1, 2, 3]) await report(tenant, `pc-${n}`, titles('everywhere', `rare ${n}`));
    const pool = new Pool(world.connection('app'));
    try {
      // It reads one device, as if that were the first of very many.
      await makeUnusedTitleRemover(pool, 1)(100);
    } finally {
      await pool.end();
    }
    const names = [1, 2, 3].flatMap((n) => [`rare ${n}`, `lost ${n}`]);
    expect(await known(...names)).toStrictEqual(['rare 1', 'rare 2', 'rare 3']);
    await expectConsistent();
  });

  test('stay while their partner is in maintenance', async () => {
    const tenant = await createTenant(world.backend);
    await report(tenant, 'pc-1', titles('maintained'));
    await report(tenant, 'pc-1', titles());
    await world.query(
      'owner',
      `insert into maintenance (owner_id, partner_id, since)
       select unnest(array[$1::uuid, $2::uuid]), $2::uuid, now()`,
      [tenant.orgId, tenant.partnerId],
    );
    await removeAll();
    expect(await known('maintained')).toHaveLength(1);
    await world.query('owner', 'delete from maintenance where partner_id = $1', [tenant.partnerId]);
    await removeAll();
    expect(await known('maintained')).toStrictEqual([]);
  });
});

test('a title that is removed while a machine reports it is added again', async () => {
  const tenant = await createTenant(world.backend);
  await world.query('owner', "insert into software_title (name, name_lc) values ('going', 'going')");
  await world.connected('owner', async (remover) => {
    await remover.query('begin');
    await remover.query("delete from software_title where name = 'going'");
    const reported = report(tenant, 'pc', titles('going'));
    const waiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await until(async () => (await world.query('owner', `select 1 ${waiting}`)).length > 0);
    await remover.query('commit');
    expect((await reported).ok).toBe(true);
  });
  await expectConsistent();
  expect(await known('going')).toStrictEqual(['going']);
});

test('machines that keep reporting the same titles during removals never lose one', async () => {
  const tenants = [await createTenant(world.backend), await createTenant(world.backend)];
  const sets = [['a', 'b', 'c'], ['c', 'd'], [], ['a', 'd', 'e']];
  let isOver = false;
  const removing = [0, 1].map(async () => {
    while (!isOver) await world.backend.removeUnusedTitles(100);
  });
  const reporting = tenants.flatMap((tenant, t) =>
    [0, 1, 2].map(async (n) => {
      for (let round = 0; round < 30; round++) {
        const names = sets[(round + n + t) % sets.length] ?? [];
        const outcome = await report(tenant, `pc-${n}`, titles(...names));
        expect(outcome.ok).toBe(true);
      }
    }),
  );
  const loading = (async () => {
    const device = aDevice({ orgId: tenants[0]?.orgId ?? newId() });
    for (let round = 0; round < 10; round++) {
      await loadFleet(world.backend, [{ ...device, software: titles(...(sets[round % sets.length] ?? [])) }]);
    }
  })();
  await Promise.all([...reporting, loading]).finally(() => {
    isOver = true;
  });
  await Promise.all(removing);
  await expectConsistent();
  await removeAll();
  await expectConsistent();
}, 60_000);
