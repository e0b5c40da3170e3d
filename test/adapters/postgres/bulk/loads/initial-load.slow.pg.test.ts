/** The first load of a database drops indexes and keys, and leaves the same rows and schema as any other load. */
import { Client } from 'pg';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { INITIAL_LOAD } from '#adapters/postgres/bulk/loads/initial-load.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import { terminate } from '#test/adapters/postgres/reads/slow-fleet.ts';
import { aDevice, aFilter, anAlert, located, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { createTenant } from '#test/support/tenant.ts';
import { contentsOf, indexNumber, schemaOf } from './database-state.ts';

const worlds: PostgresWorld[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function openWorld(): Promise<PostgresWorld> {
  const world = await createPostgresWorld(inject('databaseUrl'), { clock: () => SOME_INSTANT });
  worlds.push(world);
  return world;
}

/** Enough devices, with rows in every table that is filled. */
function aFleet(): readonly FleetRecord[] {
  const partnerId = newId<'partner'>();
  const orgIds = Array.from({ length: 3 }, () => newId<'organization'>());
  const siteId = newId<'site'>();
  const devices = Array.from({ length: INITIAL_LOAD }, (_, n) => {
    const orgId = orgIds[n % 3] ?? newId<'organization'>();
    return aDevice({
      orgId,
      siteId: n % 3 === 0 ? siteId : null,
      hostname: `DESKTOP-${n}ß`,
      displayName: n % 5 === 0 ? `Ärger ${n}` : null,
      tags: [`tag ${n % 7}`],
      hardware: { ...aDevice({ orgId }).hardware, serialNumber: `SN-${n}`, cpuCores: 4 },
      network: [{ ipAddress: `10.0.${n % 250}.1`, publicIp: null, macAddress: null }],
      software: Array.from({ length: n % 4 }, (_title, i) => ({
        name: `Title ${(n * 7 + i) % 300}`,
        version: '1',
      })),
      patches: [{ id: newId<'patch'>(), title: `KB${n % 9}`, status: 'pending' }],
    });
  });
  return [
    ...devices.filter((_, n) => n % 10 === 0).map(({ id: deviceId, orgId }) => anAlert({ orgId, deviceId })),
    { kind: 'partner', id: partnerId, name: `Partner ${partnerId}` },
    ...orgIds.map((id, n) => ({ kind: 'organization' as const, id, partnerId, name: `Organization ${n}` })),
    { kind: 'site', id: siteId, orgId: orgIds[0] ?? newId<'organization'>(), name: 'Site' },
    {
      kind: 'script',
      id: newId<'script'>(),
      owner: { kind: 'partner', partnerId },
      name: 'Script',
      description: null,
    },
    ...devices,
  ];
}

async function load({ backend }: PostgresWorld, records: readonly FleetRecord[]): Promise<boolean> {
  return (await backend.fleetWriter(located(records))).ok;
}

/** Runs work while another process of the service seems to be connected. */
async function besideAnother<T>({ url }: PostgresWorld, work: () => Promise<T>): Promise<T> {
  const other = new Client({ connectionString: url, application_name: 'fleetsift reader #00000000' });
  await other.connect();
  try {
    return await work();
  } finally {
    await other.end();
  }
}

describe('the first load of a database', () => {
  test('rebuilds the indexes, and leaves the schema as it found it', async () => {
    const world = await openWorld();
    const schema = await schemaOf(world);
    const before = await indexNumber(world);
    expect(await load(world, aFleet())).toBe(true);
    expect(await indexNumber(world)).not.toBe(before);
    expect(await schemaOf(world)).toStrictEqual(schema);
    expect(await world.query('owner', 'select * from initial_load')).toStrictEqual([]);
  });

  test('writes the same rows as a load beside other processes, which rebuilds no index', async () => {
    const fleet = aFleet();
    const world = await openWorld();
    expect(await load(world, fleet)).toBe(true);
    const other = await openWorld();
    const before = await indexNumber(other);
    expect(await besideAnother(other, () => load(other, fleet))).toBe(true);
    expect(await indexNumber(other)).toBe(before);
    expect(await contentsOf(world)).toStrictEqual(await contentsOf(other));
  });

  test('does not rebuild the indexes if somebody holds a table', async () => {
    const world = await openWorld();
    const before = await indexNumber(world);
    await world.connected('owner', async (holder) => {
      await holder.query('begin; select from device');
      expect(await load(world, aFleet())).toBe(true);
      await holder.query('rollback');
    });
    expect(await indexNumber(world)).toBe(before);
  });

  test('does not rebuild the indexes if something else depends on a key', async () => {
    const world = await openWorld();
    await world.query('owner', 'create view named as select id, hostname from device group by id');
    const schema = await schemaOf(world);
    const before = await indexNumber(world);
    expect(await load(world, aFleet())).toBe(true);
    expect(await indexNumber(world)).toBe(before);
    expect(await schemaOf(world)).toStrictEqual(schema);
  });

  test('is the only load that rebuilds the indexes', async () => {
    const world = await openWorld();
    expect(await load(world, aFleet())).toBe(true);
    const before = await indexNumber(world);
    expect(await load(world, aFleet())).toBe(true);
    expect(await indexNumber(world)).toBe(before);
  });
});

test('an owner who is no superuser can do a first load', async () => {
  const world = await openWorld();
  await withPlainOwner(world, async () => {
    const before = await indexNumber(world);
    expect(await load(world, aFleet())).toBe(true);
    expect(await indexNumber(world)).not.toBe(before);
  });
});

/** Gives the tables and functions to a role that is subject to the policies, until the work is done. */
async function withPlainOwner(world: PostgresWorld, work: () => Promise<void>): Promise<void> {
  const role = `plain_${newId().replaceAll('-', '')}`;
  const giveTo = (owner: string) => `do $$ declare o record; begin
    for o in select oid::regclass as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'mikro_orm_migrations' loop
      execute format('alter table %s owner to ${owner}', o.name);
    end loop;
    for o in select oid::regprocedure as name from pg_proc
      where pronamespace = 'public'::regnamespace and prolang = (select oid from pg_language where lanname = 'plpgsql') loop
      execute format('alter function %s owner to ${owner}', o.name);
    end loop; end $$`;
  await world.connected('owner', async (owner) => {
    await owner.query(`create role ${role}`);
    await owner.query(`grant create on schema public to ${role}`);
    await owner.query(giveTo(role));
    // Closed tables have a policy only for their owner.
    await owner.query(`create policy plain on initial_load to ${role} using (true)`);
    for (const kind of ['device', 'script', 'alert']) {
      await owner.query(`create policy plain on ${kind}_search_block to ${role} using (true)`);
    }
    try {
      await work();
    } finally {
      await owner.query(giveTo('current_user'));
      await owner.query(`drop owned by ${role}`);
      await owner.query(`drop role ${role}`);
    }
  });
}

describe('a failed first load leaves everything as it was', () => {
  test('if an error is found at the very end', async () => {
    const world = await openWorld();
    const { orgId, userId } = await createTenant(world.backend);
    const [schema, before] = [await schemaOf(world), await indexNumber(world)];
    const filter = aFilter({
      orgId,
      createdBy: userId,
      conditions: { operator: 'AND', conditions: [{ field: 'custom.none', operator: 'equals', value: 'x' }] },
    });
    expect(await load(world, [...aFleet(), filter])).toBe(false);
    expect(await indexNumber(world)).toBe(before);
    expect(await schemaOf(world)).toStrictEqual(schema);
  });

  test('if its connection is lost while the tables have no indexes', async () => {
    const world = await openWorld();
    const { orgId, userId } = await createTenant(world.backend);
    const filter = aFilter({ orgId, createdBy: userId });
    expect(await load(world, [filter])).toBe(true);
    const [schema, before] = [await schemaOf(world), await indexNumber(world)];
    await world.connected('owner', async (holder) => {
      await holder.query('begin');
      await holder.query('select from saved_filter where id = $1 for update', [filter.id]);
      const outcome = load(world, [...aFleet(), { ...filter, name: 'Renamed' }]).catch(() => 'lost');
      let waiting: number[] = [];
      await until(async () => {
        const rows = await world.query<{ pid: number }>(
          'owner',
          `select distinct pid from pg_locks where not granted and pid in
             (select pid from pg_locks where mode = 'AccessExclusiveLock' and relation = 'device'::regclass)`,
        );
        waiting = rows.map(({ pid }) => pid);
        return waiting.length === 1;
      });
      await terminate(world, waiting);
      expect(await outcome).toBe('lost');
      await holder.query('rollback');
    });
    expect(await indexNumber(world)).toBe(before);
    expect(await schemaOf(world)).toStrictEqual(schema);
    expect(await world.query('owner', 'select from device')).toStrictEqual([]);
  });
});

describe('the role that the service works under', () => {
  const OPEN = 'select begin_initial_load()';
  const CLOSE = 'select end_initial_load()';
  const ENTER = `set local app.scope = 'system'`;

  /** The SQLSTATE of SQL that runs as the app role; empty if it succeeds. */
  async function outcomeOf(world: PostgresWorld, ...statements: readonly string[]): Promise<string> {
    return world.connected('app', async (client) => {
      try {
        for (const statement of statements) await client.query(statement);
        return '';
      } catch (error) {
        return error instanceof Error && 'code' in error ? String(error.code) : String(error);
      }
    });
  }

  test('cannot end a first load whose rows violate a foreign key', async () => {
    const dangling = `insert into patch (id, device_id, org_id, title, status)
      values ('${newId()}', '${newId()}', '${newId()}', 'KB1', 'pending')`;
    const world = await openWorld();
    await withPlainOwner(world, async () => {
      expect(await outcomeOf(world, 'begin', ENTER, OPEN, dangling, CLOSE)).toBe('23503');
    });
    expect(await outcomeOf(world, 'begin', ENTER, OPEN, dangling, CLOSE)).toBe('23503');
  });

  test('cannot commit without indexes and keys, nor remove them if there are devices', async () => {
    const world = await openWorld();
    const schema = await schemaOf(world);
    expect(await outcomeOf(world, 'begin', OPEN, CLOSE, 'commit')).toBe('');
    expect(await schemaOf(world)).toStrictEqual(schema);
    expect(await outcomeOf(world, 'begin', OPEN, 'commit')).toBe('55000');
    expect(await outcomeOf(world, OPEN)).toBe('55000');
    expect(await outcomeOf(world, 'begin', OPEN, 'set constraints all immediate')).toBe('55000');
    expect(await outcomeOf(world, 'begin', OPEN, 'delete from initial_load')).toBe('42501');
    expect(await outcomeOf(world, 'select * from initial_load')).toBe('42501');
    const { orgId } = await createTenant(world.backend);
    expect(await load(world, [aDevice({ orgId })])).toBe(true);
    expect(await outcomeOf(world, 'begin', OPEN)).toBe('55000');
    expect(await schemaOf(world)).toStrictEqual(schema);
  });
});
