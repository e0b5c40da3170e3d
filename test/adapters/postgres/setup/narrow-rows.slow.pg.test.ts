/** The narrow rows equal the devices after any write. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { aDevice, anAlert, anInventory, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { audibleFrom, reportInventory } from '#test/support/inventories.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const NARROW_TABLES = ['device_state', 'device_names'] as const;

let world: PostgresWorld;
let orgIds: readonly OrgId[];

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  ({ orgIds } = await createTenant(world.backend, 2));
});

afterAll(() => world.close());

/** The rows of the narrow table, and the same columns of the devices. */
async function bothSides(
  { query }: Pick<PostgresWorld, 'query'>,
  table: string,
): Promise<{ readonly narrow: readonly object[]; readonly devices: readonly object[] }> {
  const columns = await query<{ list: string }>(
    'owner',
    `select string_agg(attname, ', ' order by attnum) as list from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  );
  const list = columns[0]?.list ?? '';
  return {
    narrow: await query('owner', `select ${list} from ${table} order by id`),
    devices: await query('owner', `select ${list} from device order by id`),
  };
}

async function expectAgreement(of: Pick<PostgresWorld, 'query'> = world): Promise<void> {
  for (const table of NARROW_TABLES) {
    const { narrow, devices } = await bothSides(of, table);
    expect(devices).not.toHaveLength(0);
    expect(narrow).toStrictEqual(devices);
  }
}

function device(given: Partial<DeviceRecord> = {}): DeviceRecord {
  return aDevice({
    orgId: orgIds[0] as OrgId,
    hostname: 'Müller-PC',
    displayName: 'The one of Ödön',
    osType: 'windows',
    lastSeenAt: SOME_INSTANT,
    enrolledAt: SOME_INSTANT - 1_000,
    uptimeSeconds: 5,
    metrics: { cpuPercent: 1.5, ramPercent: null, diskPercent: 99 },
    patches: [{ id: null, title: 'KB1', status: 'pending' }],
    ...given,
  });
}

describe('narrow rows follow', () => {
  test('loads of new and known devices, and of alerts', async () => {
    const known = device();
    await loadFleet(world.backend, [known, device({ displayName: null, osType: null })]);
    await expectAgreement();
    const alert = anAlert({ orgId: known.orgId, deviceId: known.id, severity: 'critical', status: 'active' });
    await loadFleet(world.backend, [
      {
        ...known,
        hostname: 'Renamed',
        displayName: null,
        status: 'offline',
        patches: [],
        rebootRequired: true,
      },
      device({ orgId: orgIds[1] as OrgId }),
      alert,
    ]);
    await expectAgreement();
    await loadFleet(world.backend, [{ ...alert, status: 'resolved' }]);
    await expectAgreement();
  });

  test('a move to another organization', async () => {
    const moved = device();
    await loadFleet(world.backend, [moved]);
    await world.query('owner', 'update device set org_id = $1 where id = $2', [orgIds[1], moved.id]);
    await expectAgreement();
  });

  test('reports of machines, and their silence', async () => {
    const inventory = anInventory({ hostname: 'Reporting', uptimeSeconds: 60 });
    const report = (uptimeSeconds: number) =>
      reportInventory(
        world.backend,
        orgIds[0] as OrgId,
        { ...inventory, fields: { ...inventory.fields, uptimeSeconds } },
        SOME_INSTANT,
      );
    expect(await report(60)).toMatchObject({ ok: true, value: { created: true } });
    await expectAgreement();
    expect(await report(120)).toMatchObject({ ok: true, value: { created: false } });
    await expectAgreement();
    expect(await world.backend.markSilent(audibleFrom(SOME_INSTANT + 1), 10)).toBe(1);
    await expectAgreement();
  });

  test('changes by people', async () => {
    const { id } = device();
    await loadFleet(world.backend, [device({ id })]);
    await world.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      const found = await tx.devices.findForUpdate(id);
      if (found === null) throw new Error('the device was not found');
      await tx.devices.replace({ ...found, displayName: 'Anders', status: 'maintenance' });
    });
    await expectAgreement();
  });

  test('heartbeats, and are not rewritten if none of their columns changes', async () => {
    const { id } = device();
    await loadFleet(world.backend, [device({ id })]);
    const versionsAfter = async (change: string) => {
      await world.query('owner', `update device set ${change} where id = $1`, [id]);
      const rows = await world.query<{ state: string; names: string }>(
        'owner',
        'select s.ctid as state, n.ctid as names from device_state s join device_names n using (id) where id = $1',
        [id],
      );
      return rows[0];
    };
    const before = await versionsAfter('last_seen_at = last_seen_at, tags = tags');
    expect(await versionsAfter(`hostname_lc = hostname_lc, tags = '{new}'`)).toStrictEqual(before);
    const after = await versionsAfter('cpu_percent = 7');
    expect(after?.names).toBe(before?.names);
    expect(after?.state).not.toBe(before?.state);
    await expectAgreement();
  });

  test('the removal of their device', async () => {
    const { id } = device();
    await loadFleet(world.backend, [device({ id, patches: [] }), device()]);
    await world.query('owner', 'delete from device where id = $1', [id]);
    await expectAgreement();
  });
});
