/** Changes of devices beside all other writers: nothing is lost, and nothing waits forever. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceId } from '#domain/ids.ts';
import { aCustomField, aDevice, anAlert, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});

afterAll(() => world.close());

const change = (id: DeviceId, revise: (device: ChangeableDevice) => Partial<ChangeableDevice>) =>
  world.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    const device = await tx.devices.findForUpdate(id);
    if (device === null) throw new Error('the device was not found');
    await tx.devices.replace({ ...device, ...revise(device) });
  });

async function addDevice(given: Partial<DeviceRecord> = {}): Promise<DeviceRecord> {
  const { orgId } = await createTenant(world.backend);
  const device = aDevice({ orgId, tags: ['loaded'], ...given });
  await loadFleet(world.backend, [device]);
  return device;
}

const isSomebodyWaiting = async () => {
  const rows = await world.query(
    'owner',
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
};

/** Devices whose searched texts or derived values do not match their columns. */
const findOutdated = () =>
  world.query(
    'owner',
    `select d.id from device d left join device_search s on s.id = d.id
     where s.title is distinct from
       coalesce(nullif(coalesce(d.display_name_lc, d.display_name), ''), d.hostname_lc)`,
  );

test('a change waits for a report in progress, and both are kept', async () => {
  const { id } = await addDevice();
  await world.connected('owner', async (reporter) => {
    await reporter.query('begin');
    await reporter.query(`set local app.scope = 'system'`);
    await reporter.query(
      `update device set tags = tags || '{reported}', last_seen_at = now() where id = $1`,
      [id],
    );
    const changed = change(id, ({ tags }) => ({ tags: [...tags, 'by hand'], status: 'maintenance' }));
    await until(isSomebodyWaiting);
    await reporter.query('commit');
    await changed;
  });
  const found = await world.backend.deviceReader.find(SYSTEM_SCOPE, id);
  expect(found?.device).toMatchObject({ tags: ['loaded', 'reported', 'by hand'], status: 'maintenance' });
  expect(found?.device.lastSeenAt).not.toBeNull();
});

test('a report waits for a change, and undoes nothing of it', async () => {
  const { id } = await addDevice();
  const reported = Promise.withResolvers<void>();
  let report: Promise<unknown> = Promise.resolve();
  await world.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    const device = await tx.devices.findForUpdate(id);
    if (device === null) throw new Error('the device was not found');
    await tx.devices.replace({ ...device, displayName: 'By hand' });
    report = world.connected('owner', async (reporter) => {
      await reporter.query('begin');
      await reporter.query(`set local app.scope = 'system'`);
      await reporter.query(`update device set last_user = 'sam' where id = $1`, [id]);
      await reporter.query('commit');
      reported.resolve();
    });
    await until(isSomebodyWaiting);
  });
  await Promise.all([report, reported.promise]);
  const found = await world.backend.deviceReader.find(SYSTEM_SCOPE, id);
  expect(found?.device).toMatchObject({ displayName: 'By hand', lastUser: 'sam' });
  expect(await findOutdated()).toStrictEqual([]);
});

test('changes and loads of the same devices in opposite orders all finish', async () => {
  const { orgId } = await createTenant(world.backend);
  const devices = Array.from({ length: 30 }, (_, i) => aDevice({ orgId, displayName: `Loaded ${i}` }));
  const alerts = devices.map(({ id }) => anAlert({ orgId, deviceId: id }));
  await loadFleet(world.backend, devices);
  const changes = (round: number) =>
    devices.toReversed().map(({ id }) => change(id, () => ({ displayName: `ROUND ${round}` })));
  await Promise.all([
    ...changes(1),
    loadFleet(world.backend, [...devices, ...alerts]),
    ...changes(2),
    loadFleet(world.backend, [...devices.toReversed(), ...alerts]),
  ]);
  await Promise.all(changes(3));
  const names = await world.query<{ name: string }>(
    'owner',
    'select distinct display_name as name from device where org_id = $1',
    [orgId],
  );
  expect(names).toStrictEqual([{ name: 'ROUND 3' }]);
  expect(await findOutdated()).toStrictEqual([]);
});

test('a transaction that changes several devices sees each with its change', async () => {
  const [one, two] = [await addDevice(), await addDevice()];
  const seen = await world.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    for (const { id } of [one, two]) {
      const device = await tx.devices.findForUpdate(id);
      if (device === null) throw new Error('the device was not found');
      await tx.devices.replace({ ...device, tags: [id] });
    }
    const again = [await tx.devices.findForUpdate(one.id), await tx.devices.findForUpdate(two.id)];
    return again.map((device) => device?.tags);
  });
  expect(seen).toStrictEqual([[one.id], [two.id]]);
});

test('a change derives the same columns as a load of the same device', async () => {
  const custom = new Map<string, string | number | boolean>([
    ['code', 'STRASSE'],
    ['since', '2026-03-01T08:00:00+01:00'],
    ['lower', 'as it is'],
    ['seats', 4.5],
  ]);
  const given = { displayName: 'KASSE İΣ', tags: ['Null', ' x'], custom };
  const [changed, loaded] = [
    await addDevice({ hostname: 'one' }),
    await addDevice({ hostname: 'one', ...given }),
  ];
  await change(changed.id, () => given);
  const columns = async (id: DeviceId) =>
    world.query(
      'owner',
      `select d.display_name, d.display_name_lc, d.tags, d.custom, d.custom_derived, s.title, s.words, s.texts
       from device d join device_search s on s.id = d.id where d.id = $1`,
      [id],
    );
  expect(await columns(changed.id)).toStrictEqual(await columns(loaded.id));
  await change(changed.id, () => ({ displayName: null, tags: [], custom: new Map() }));
  const bare = await addDevice({ hostname: 'one', tags: [] });
  expect(await columns(changed.id)).toStrictEqual(await columns(bare.id));
});

test('a change in one organization reaches no device of another', async () => {
  const [mine, theirs] = [await addDevice(), await addDevice()];
  const work = world.backend.unitOfWork(orgScope(mine.orgId), async (tx) => {
    const device = await tx.devices.findForUpdate(mine.id);
    if (device === null) throw new Error('the device was not found');
    await tx.devices.replace({ ...device, id: theirs.id, orgId: theirs.orgId, tags: ['taken over'] });
  });
  await expect(work).rejects.toThrow(`there is no device ${theirs.id}`);
  expect((await world.backend.deviceReader.find(SYSTEM_SCOPE, theirs.id))?.device.tags).toStrictEqual([
    'loaded',
  ]);
});

test('a change gives up and changes nothing if somebody keeps the lock', async () => {
  const { id, orgId } = await addDevice();
  const field = aCustomField({ owner: { kind: 'organization', orgId }, key: 'rack' });
  await world.connected('owner', async (load) => {
    await load.query('begin');
    await load.query(`set local app.scope = 'system'`);
    await load.query('select 1 from device where id = $1 for update', [id]);
    await load.query(`select pg_advisory_xact_lock(hashtextextended('custom fields of ' || $1::text, 0))`, [
      orgId,
    ]);
    const changes = [
      change(id, () => ({ tags: ['too late'] })),
      world.backend.unitOfWork(SYSTEM_SCOPE, async (tx) => {
        await tx.customFields.holdFieldsOf(field.owner);
        await tx.customFields.add(field);
      }),
    ];
    for (const outcome of await Promise.allSettled(changes)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseBusyError) });
    }
    await load.query('commit');
  });
  expect((await world.backend.deviceReader.find(SYSTEM_SCOPE, id))?.device.tags).toStrictEqual(['loaded']);
  await change(id, () => ({ tags: ['in time'] }));
  expect((await world.backend.deviceReader.find(SYSTEM_SCOPE, id))?.device.tags).toStrictEqual(['in time']);
  expect(await world.backend.definedFields.find(SYSTEM_SCOPE, field.id)).toBeNull();
});
