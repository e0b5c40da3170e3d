/**
 * Reports of known machines through the inventory store, against bare SQL upserts by id: as the owner, without
 * policies, one transaction for each report. The store must find the machine and pass row-level security. It leaves
 * unchanged rows alone, which the upserts write again.
 */
import { Pool } from 'pg';
import {
  deviceRow,
  hardwareRow,
  networkRows,
  type Row,
  softwareRow,
} from '#adapters/postgres/bulk/device-rows.ts';
import type { Backend } from '#application/backend.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';
import { entryKey } from '#domain/device/installed-software.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import type { FleetDatabase } from './fleet/fleet-database.ts';
import { drawDevice } from './fleet/fleet-device.ts';
import { FLEET_NOW, type FleetPlan } from './fleet/fleet-plan.ts';
import { tell } from './report/bench-progress.ts';
import { round, type Section } from './report/report.ts';
import { median, timeInTurns } from './report/statistics.ts';
import { readCounters, type Tally, tally } from './report/update-counters.ts';

const CONNECTIONS = 8;

const MACHINES = 2_000;
const ROUND = 200;

/** Every so many reports the software differs. */
const CHANGES_EVERY = 10;

/** PostgreSQL has counted everything before that. */
const COUNTED_AFTER_MS = 11_000;

const TURNS = { warmUp: 1, minRounds: 5, maxRounds: 30, budgetMs: 60_000 } as const;

export async function measureReports(database: FleetDatabase, plan: FleetPlan): Promise<Section> {
  tell(`reports on ${plan.size}`);
  const pool = new Pool({ connectionString: database.url, max: CONNECTIONS });
  const { backend } = database.service;
  const devices = Array.from({ length: MACHINES }, (_, n) =>
    drawDevice(plan, Math.floor((n * plan.devices) / MACHINES)),
  );
  try {
    const { times, updates } = await database.whileDirty(async () => {
      const reports = makeReports(devices);
      // The first report of each device sets its name and makes it online.
      await inParallel(devices, async (device) => storeReport(backend, device, reports(device)));
      const titleIds = await readTitleIds(pool);
      const machines = endlessly(devices);
      const store = () =>
        inParallel(machines(ROUND), (device) => storeReport(backend, device, reports(device)));
      const upserts = () =>
        inParallel(machines(ROUND), (device) => upsertReport(pool, titleIds, device, reports(device)));
      const times = await timeInTurns({ store, upserts }, TURNS);
      const updates = await countUpdates(pool, store);
      await restore(pool, backend, devices);
      return { times, updates };
    });
    const [store, upserts] = [median(times.store), median(times.upserts)];
    return {
      name: `Reports on ${plan.size} devices`,
      goals: [
        {
          name: `${plan.size}: reports, share of the speed of the same upserts by bare SQL`,
          value: upserts / store,
          target: null,
        },
        {
          name: `${plan.size}: reports of devices that are online and change nothing indexed, %`,
          value: (1 - updates.indexed / updates.updates) * 100,
          target: 100,
        },
      ],
      tables: [
        {
          title: `${ROUND} reports at a time over ${CONNECTIONS} connections, ${plan.titlesPerDevice} titles each`,
          columns: ['way', 'reports/s'],
          rows: [
            ['the store of inventories', round((ROUND / store) * 1_000)],
            ['upserts by bare SQL', round((ROUND / upserts) * 1_000)],
          ],
        },
        {
          title: `The devices' own rows, when ${ROUND} of them report`,
          columns: ['updates', 'HOT', 'to another page', 'indexed'],
          rows: [[updates.updates, updates.hot, updates.moved, updates.indexed]],
        },
      ],
      notes: [
        `One transaction and one durable commit for each report; one in ${CHANGES_EVERY} has changed its software.`,
      ],
      faults: [],
    };
  } finally {
    await pool.end();
  }
}

type FullInventory = Extract<DeviceInventory, { kind: 'full' }>;

/** Reports what the fleet says, with a new version now and then. */
function makeReports(devices: readonly DeviceRecord[]): (device: DeviceRecord) => FullInventory {
  const places = new Map(devices.map(({ id }, n) => [id, n]));
  let count = 0;
  return (device) => {
    const { hostname, deviceRole, osType, osVersion, osBuild, architecture, agentVersion } = device;
    const { lastUser, hardware, network, software } = device;
    const hasChanged = (places.get(device.id) ?? 0) % CHANGES_EVERY === 0;
    count++;
    const [first = { name: 'Agent', version: null }, ...others] = software;
    return {
      kind: 'full',
      inventoryId: `agent of ${device.id}`,
      identity: { systemUuid: device.id, macAddresses: [] },
      takenAt: FLEET_NOW,
      bootedAt: null,
      tag: null,
      fields: {
        ...{ hostname, deviceRole, osType, osVersion, osBuild, architecture, agentVersion, lastUser },
        ...{ hardware, network, uptimeSeconds: (device.uptimeSeconds ?? 0) + count },
        software: hasChanged ? [{ ...first, version: `1.${count}` }, ...others] : software,
      },
    };
  };
}

async function storeReport(
  { inventoryStore }: Backend,
  { orgId }: DeviceRecord,
  inventory: FullInventory,
): Promise<void> {
  const stored = await inventoryStore.store({
    orgId,
    siteId: null,
    source: 'report',
    inventory,
    now: FLEET_NOW + (inventory.fields.uptimeSeconds ?? 0),
  });
  if (!stored.ok) throw new Error(`a report was refused: ${stored.error}`);
}

const REPORTED_COLUMNS = [
  ...['status', 'device_role', 'os_type', 'last_seen_at', 'uptime_seconds', 'architecture'],
  ...['hostname', 'hostname_lc', 'last_user', 'last_user_lc', 'agent_version', 'agent_version_lc'],
  ...['os_version', 'os_version_lc', 'os_build', 'os_build_lc'],
];

const UPDATE_DEVICE = `update device set ${REPORTED_COLUMNS.map((name, i) => `${name} = $${i + 2}`).join(', ')} where id = $1`;
const CLEAR_NETWORK = 'delete from device_network where device_id = $1';

function insertion(table: string, row: Row): string {
  const names = Object.keys(row);
  return `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`;
}

function upsert(table: string, row: Row): string {
  const changes = Object.keys(row).map((name) => `${name} = excluded.${name}`);
  return `${insertion(table, row)} on conflict (device_id) do update set ${changes.join(', ')}`;
}

async function upsertReport(
  pool: Pool,
  titleIds: ReadonlyMap<string, number>,
  known: DeviceRecord,
  { fields }: FullInventory,
): Promise<void> {
  const lastSeenAt = FLEET_NOW + (fields.uptimeSeconds ?? 0);
  const { metrics } = known;
  const device: DeviceRecord = { ...known, ...fields, metrics, status: 'online', lastSeenAt };
  const client = await pool.connect();
  const run = (name: string, text: string, values: readonly unknown[]) =>
    client.query({ name, text, values: [...values] });
  try {
    await client.query('begin');
    const own = deviceRow(device);
    await run('device', UPDATE_DEVICE, [device.id, ...REPORTED_COLUMNS.map((name) => own[name])]);
    const hardware = hardwareRow(device);
    await run('hardware', upsert('device_hardware', hardware), Object.values(hardware));
    await run('clear network', CLEAR_NETWORK, [device.id]);
    for (const row of networkRows(device)) {
      await run('network', insertion('device_network', row), Object.values(row));
    }
    const software = softwareRow(device, titleIds);
    if (software !== null) {
      await run('software', upsert('device_software', software), Object.values(software));
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function readTitleIds(pool: Pool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<InstalledSoftware & { id: number }>(
    `select id, name, null as version from software_title
     union all select v.id, t.name, v.version from software_version v join software_title t on t.id = v.title_id`,
  );
  return new Map(rows.map((row) => [entryKey(row), row.id]));
}

/** Updates of the devices' rows in one round. */
async function countUpdates(pool: Pool, store: () => Promise<void>): Promise<Tally> {
  const settled = () => new Promise((resolve) => setTimeout(resolve, COUNTED_AFTER_MS));
  await settled();
  const before = await readCounters(pool);
  await store();
  await settled();
  return tally(before, await readCounters(pool));
}

/** Removes what reports left in the fleet. */
async function restore(
  pool: Pool,
  { fleetWriter }: Backend,
  devices: readonly DeviceRecord[],
): Promise<void> {
  const loaded = await fleetWriter(devices.map((record, n) => ({ record, line: n + 1, member: 'device' })));
  if (!loaded.ok) throw new Error(`the fleet was refused: ${JSON.stringify(loaded.error[0])}`);
  await pool.query('truncate device_inventory_id');
  await pool.query(
    'update device set reports_since = null, system_uuid = null where reports_since is not null',
  );
}

/** Each call gives the next items, and starts again after the last. */
function endlessly<T>(items: readonly T[]): (count: number) => readonly T[] {
  let next = 0;
  return (count) => {
    const taken = Array.from({ length: count }, (_, i) => items[(next + i) % items.length] as T);
    next = (next + count) % items.length;
    return taken;
  };
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
