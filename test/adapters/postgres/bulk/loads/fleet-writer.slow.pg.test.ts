/** Large loads run at the pace of PostgreSQL, are exact and atomic. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  type AlertRecord,
  type DeviceRecord,
  type FleetRecord,
  PATCH_STATUSES,
} from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { err } from '#domain/result.ts';
import { terminate } from '#test/adapters/postgres/reads/slow-fleet.ts';
import { aDevice, aFilter, anAlert, located, newId, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import { startPausableProxy } from '#test/support/database/pausable-proxy.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { and, parseFilter } from '#test/support/filters.ts';
import { createLoneTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

const FLEET_SIZE = 20_000;

/** More than may wait for the database at any time. */
const MIDDLE = 12_000;

let world: PostgresWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  tenant = await createLoneTenant(world.backend);
});

afterAll(() => world.close());

/** A device with rows in every table of devices. */
function aFullDevice(orgId: OrgId, n: number, given: Partial<DeviceRecord> = {}): DeviceRecord {
  return aDevice({
    orgId,
    hostname: `device-${n}`,
    tags: ['production'],
    hardware: { ...aDevice({ orgId }).hardware, model: `model ${n % 50}`, cpuCores: 4 },
    network: [{ ipAddress: `10.0.${n % 250}.1`, publicIp: null, macAddress: null }],
    software: Array.from({ length: 5 }, (_, i) => ({ name: `Title ${(n * 7 + i) % 300}`, version: '1' })),
    patches: [{ id: null, title: 'KB1', status: 'pending' }],
    ...given,
  });
}

/** The number of rows in each table that a load writes. */
async function contents(): Promise<Readonly<Record<string, number>>> {
  const tables = [
    ...[
      'partner',
      'organization',
      'site',
      'app_user',
      'api_key',
      'custom_field',
      'script',
      'alert',
      'saved_filter',
    ],
    ...['device', 'device_hardware', 'device_network', 'device_software', 'patch'],
  ];
  const [row] = await world.query<Record<string, number>>(
    'owner',
    `select ${tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')}`,
  );
  return row ?? {};
}

async function countOf(orgId: OrgId): Promise<number | string> {
  const filter = parseFilter(and({ field: 'hostname', operator: 'isNotNull' }));
  const request = { filter, scope: orgScope(orgId), at: SOME_INSTANT, onBehalfOf: 'test' };
  const found = await world.backend.matcher.preview(request, 1);
  return found.ok ? found.value.totalCount : found.error.kind;
}

/** The server process of the current load. */
async function loadingProcesses(waitsForLock = false): Promise<number[]> {
  const rows = await world.query<{ pid: number }>(
    'owner',
    `select pid from pg_stat_activity
     where datname = current_database() and application_name like 'fleetsift #%' and xact_start is not null
       and (wait_event_type = 'Lock' or not $1)`,
    [waitsForLock],
  );
  return rows.map(({ pid }) => pid);
}

describe('a source that is faster than the database', () => {
  test('is not read while the database takes nothing', async () => {
    const proxy = await startPausableProxy(inject('databaseUrl'));
    const slow = await createPostgresWorld(proxy.url);
    const { orgId } = await createLoneTenant(slow.backend);
    let taken = 0;
    let isEnough = false;
    const source = function* () {
      while (!isEnough && taken < 20_000) {
        if (taken++ === 100) proxy.pause();
        yield* located([aDevice({ orgId, osVersion: 'X'.repeat(10_000) })]);
      }
    };
    const loading = slow.backend.fleetWriter(source());
    let still = 0;
    let before = 0;
    await until(async () => {
      still = taken > 100 && taken === before ? still + 1 : 0;
      before = taken;
      return still === 50;
    });
    const takenMeanwhile = taken;
    isEnough = true;
    proxy.resume();
    const outcome = await loading;
    await slow.close();
    await proxy.close();
    // The operating system and the staging buffers hold some records of ten kilobytes each.
    expect(takenMeanwhile).toBeLessThan(10_000);
    expect(outcome.ok && outcome.value.device).toBe(taken);
  });
});

describe('the counters of a large load', () => {
  test('are exact for new and for changed records', async () => {
    const { orgId } = tenant;
    const devices = Array.from({ length: FLEET_SIZE }, (_, n) =>
      aFullDevice(orgId, n, {
        patches: Array.from({ length: n % 4 }, (_patch, i) => ({
          id: newId<'patch'>(),
          title: `KB${i}`,
          status: PATCH_STATUSES[(n + i) % PATCH_STATUSES.length] ?? 'pending',
        })),
      }),
    );
    const alerts = devices.flatMap(({ id: deviceId }, n) =>
      n % 10 === 0
        ? [anAlertNumber(n / 10, { orgId, deviceId }), anAlertNumber(n / 5, { orgId, deviceId })]
        : [],
    );
    // The first thousand come before the devices that they refer to.
    await loadFleet(world.backend, [...alerts.slice(0, 200), ...devices, ...alerts.slice(200)]);
    await expectCounters(devices, alerts);

    const changedDevices = devices.map((device, n) => (n % 3 === 0 ? { ...device, patches: [] } : device));
    const changedAlerts = alerts.map((alert, n): AlertRecord => {
      if (n % 5 === 0) return { ...alert, status: 'resolved' };
      if (n % 5 === 1) return { ...alert, severity: 'critical', status: 'active' };
      if (n % 5 === 2) return { ...alert, deviceId: devices[n]?.id ?? null };
      return alert;
    });
    await loadFleet(world.backend, [
      ...changedDevices.filter((_, n) => n % 3 === 0),
      ...changedAlerts.filter((_, n) => n % 5 < 3),
    ]);
    await expectCounters(changedDevices, changedAlerts);
  });

  function anAlertNumber(n: number, about: Pick<AlertRecord, 'orgId' | 'deviceId'>): AlertRecord {
    return anAlert({
      ...about,
      severity: ALERT_SEVERITIES[n % ALERT_SEVERITIES.length] ?? 'info',
      status: ALERT_STATUSES[n % ALERT_STATUSES.length] ?? 'active',
    });
  }

  async function expectCounters(devices: readonly DeviceRecord[], alerts: readonly AlertRecord[]) {
    const critical = new Map<string | null, number>();
    for (const { deviceId, severity, status } of alerts) {
      if (severity !== 'critical' || status !== 'active') continue;
      critical.set(deviceId, (critical.get(deviceId) ?? 0) + 1);
    }
    const expected = devices.map(({ id, patches }) => ({
      id,
      pending: patches?.filter(({ status }) => status === 'pending').length ?? 0,
      critical: critical.get(id) ?? 0,
    }));
    const stored = await world.query(
      'owner',
      'select id, pending_patches as pending, critical_alerts as critical from device where org_id = $1 order by id',
      [tenant.orgId],
    );
    expect(stored).toStrictEqual(expected);
    expect(critical.size).toBeGreaterThan(100);
  }
});

describe('a large load that is not finished', () => {
  test('leaves nothing when its source throws', async () => {
    const { orgId } = tenant;
    const before = await contents();
    const failure = new Error('the file ended in the middle');
    const source = function* () {
      for (let n = 0; n < MIDDLE; n++) yield* located([aFullDevice(orgId, n)]);
      throw failure;
    };
    await expect(world.backend.fleetWriter(source())).rejects.toBe(failure);
    expect(await contents()).toStrictEqual(before);
    expect(await loadingProcesses()).toStrictEqual([]);
  });

  test('leaves nothing when its connection is killed while records are gathered', async () => {
    const { orgId } = tenant;
    const before = await contents();
    const source = async function* () {
      for (let n = 0; n < FLEET_SIZE; n++) {
        if (n === MIDDLE) await terminate(world, await loadingProcesses());
        yield* located([aFullDevice(orgId, n)]);
      }
    };
    const error: unknown = await world.backend.fleetWriter(source()).catch((reason: unknown) => reason);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await contents()).toStrictEqual(before);
  });

  test('names the place of a refused record, and changes nothing', async () => {
    const { orgId } = tenant;
    const before = await contents();
    const unknown = newId<'organization'>();
    const records = Array.from({ length: MIDDLE }, (_, n) => aFullDevice(n === 7_776 ? unknown : orgId, n));
    expect(await world.backend.fleetWriter(located(records))).toStrictEqual(
      err([{ line: 7_777, member: 'device.orgId', message: `there is no organization ${unknown}` }]),
    );
    expect(await contents()).toStrictEqual(before);
  });
});

describe('a load that waits before its last step', () => {
  /** Loads devices and a filter whose row another transaction holds, so everything else is already written. */
  async function withLoadInPlace(
    work: (load: { readonly outcome: Promise<unknown>; readonly orgId: OrgId }) => Promise<void>,
  ): Promise<{ readonly outcome: unknown; readonly orgId: OrgId }> {
    const { orgId, userId } = await createLoneTenant(world.backend);
    const filter = aFilter({ orgId, createdBy: userId });
    await loadFleet(world.backend, [filter]);
    const records: readonly FleetRecord[] = [
      ...Array.from({ length: 2_000 }, (_, n) => aFullDevice(orgId, n)),
      { ...filter, name: 'Renamed' },
    ];
    return world.connected('owner', async (holder) => {
      await holder.query('begin');
      await holder.query('set local idle_in_transaction_session_timeout = 0');
      await holder.query('select 1 from saved_filter where id = $1 for update', [filter.id]);
      const outcome = world.backend.fleetWriter(located(records)).then(
        ({ ok }) => ok,
        (error: unknown) => (isDatabaseUnavailable(error) ? 'unavailable' : error),
      );
      await until(async () => (await loadingProcesses(true)).length === 1);
      await work({ outcome, orgId });
      await holder.query('rollback');
      return { outcome: await outcome, orgId };
    });
  }

  test('is invisible before it, and complete afterwards', async () => {
    const { outcome, orgId } = await withLoadInPlace(async (load) => {
      expect(await countOf(load.orgId)).toBe(0);
    });
    expect(outcome).toBe(true);
    expect(await countOf(orgId)).toBe(2_000);
  });

  test('leaves nothing when its connection is killed', async () => {
    const before = await contents();
    const { outcome, orgId } = await withLoadInPlace(async () => {
      await terminate(world, await loadingProcesses(true));
    });
    expect(outcome).toBe('unavailable');
    expect(await countOf(orgId)).toBe(0);
    const { partner = 0, organization = 0, app_user = 0, saved_filter = 0 } = before;
    expect(await contents()).toStrictEqual({
      ...before,
      partner: partner + 1,
      organization: organization + 1,
      app_user: app_user + 1,
      saved_filter: saved_filter + 1,
    });
  });
});

describe('two large loads at once', () => {
  test('are both complete, and a device in both is as one of them has it', async () => {
    const { orgId } = await createLoneTenant(world.backend);
    const shared = Array.from({ length: 1_000 }, () => newId<'device'>());
    const fleets = ['a', 'b'].map((name) =>
      [
        ...shared.map((id, n) => ({ id, n })),
        ...Array.from({ length: 4_000 }, (_, n) => ({ id: newId<'device'>(), n })),
      ].map(({ id, n }) =>
        aFullDevice(orgId, n, { id, tags: [name], patches: [{ id: null, title: name, status: 'pending' }] }),
      ),
    );
    await Promise.all(fleets.map((fleet) => loadFleet(world.backend, fleet)));
    expect(await countOf(orgId)).toBe(9_000);
    const [mixed] = await world.query<{ devices: number; patches: number; mixed: number }>(
      'owner',
      `select count(distinct d.id)::int as devices, count(*)::int as patches,
         count(*) filter (where p.title <> d.tags[1])::int as mixed
       from device d join patch p on p.device_id = d.id where d.org_id = $1`,
      [orgId],
    );
    expect(mixed).toStrictEqual({ devices: 9_000, patches: 9_000, mixed: 0 });
  });
});
