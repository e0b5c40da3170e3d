/** Writes devices, and alerts with them, because a device stores how many critical alerts it has. */
import type { PoolClient } from 'pg';
import { PARTS_OF_DEVICES } from '#adapters/postgres/device-parts.ts';
import type { FleetTable, StagedFleet, StagedRowsOfFleet } from './staging.ts';

/** Tables of the ids and keys by which inventories find their device. A load only adds rows to them. */
export const NAMES_OF_DEVICES = ['device_inventory_id', 'device_known_key'] as const;

export async function upsertDevices(client: PoolClient, staged: StagedFleet): Promise<number> {
  const moved = await moveDevices(client);
  await update(client, staged, 'device', {
    system_uuid: 'coalesce(s.system_uuid, t.system_uuid)',
    reports_since: 'coalesce(s.reports_since, t.reports_since)',
    makes_contact: 's.makes_contact or t.makes_contact',
    inventoried_at: 'coalesce(s.inventoried_at, t.inventoried_at)',
  });
  await insertNewDevices(client, staged, { areNew: false });
  for (const table of NAMES_OF_DEVICES) await insert(client, staged, table, 'on conflict do nothing');
  for (const table of PARTS_OF_DEVICES) {
    await client.query(`delete from ${table} t using staged_device s where t.device_id = s.id`);
    await insert(client, staged, table);
  }
  return moved;
}

async function moveDevices(client: PoolClient): Promise<number> {
  // The former site belongs to the former organization. The update of the device sets the new one.
  const { rowCount } = await client.query(
    `update device t set org_id = s.org_id, site_id = null
     from staged_device s where t.id = s.id and t.org_id <> s.org_id`,
  );
  if (rowCount === null || rowCount === 0) return 0;
  for (const table of ['alert', ...NAMES_OF_DEVICES]) {
    await client.query(
      `update ${table} t set org_id = s.org_id
       from staged_device s where t.device_id = s.id and t.org_id <> s.org_id`,
    );
  }
  return rowCount;
}

/**
 * Updates, then inserts, because `on conflict` needs a key, which an initial load has dropped. Only loads choose ids of
 * alerts, so no other transaction inserts one of these ids between the two statements. For `now`, see `upsertFleet`.
 */
export async function upsertAlerts(client: PoolClient, staged: StagedFleet, now: string): Promise<void> {
  await noteAlertedDevices(client, staged);
  await update(client, staged, 'alert', { created_at: 'coalesce(s.created_at, t.created_at)' });
  const names = staged.alert.columns;
  const values = names.map((name) => (name === 'created_at' ? 'coalesce(s.created_at, $1)' : `s.${name}`));
  await client.query(
    `insert into alert (${names.join(', ')}) select ${values.join(', ')} from staged_alert s
     where not exists (select 1 from alert t where t.id = s.id)`,
    [now],
  );
  await client.query(COUNT_CRITICAL_ALERTS);
}

async function update(
  client: PoolClient,
  staged: StagedFleet,
  table: 'device' | 'alert',
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const changes = staged[table].columns
    .filter((column) => column !== 'id')
    .map((column) => `${column} = ${values[column] ?? `s.${column}`}`);
  await client.query(`update ${table} t set ${changes.join(', ')} from staged_${table} s where t.id = s.id`);
}

/**
 * Inserts devices sorted by organization, so previews read neighboring pages. Alerts are counted here,
 * because an update afterwards would write every index entry twice. If `areNew`, none of the devices exists.
 */
export async function insertNewDevices(
  client: PoolClient,
  staged: StagedRowsOfFleet,
  { areNew }: { readonly areNew: boolean },
): Promise<void> {
  const names = staged.device.columns;
  const counts = staged.alert.isEmpty
    ? '(select null::uuid as device_id, 0 as count where false)'
    : `(select device_id, count(*) from staged_alert
        where severity = 'critical' and status = 'active' and device_id is not null
        group by device_id)`;
  await client.query(
    `insert into device (${names.join(', ')}, critical_alerts)
     select ${names.map((name) => `s.${name}`).join(', ')}, coalesce(c.count, 0)
     from staged_device s
     left join ${counts} c on c.device_id = s.id
     ${areNew ? '' : 'where not exists (select 1 from device t where t.id = s.id)'}
     order by s.org_id, s.hostname_lc, s.id`,
  );
}

export async function insert(
  client: PoolClient,
  staged: StagedRowsOfFleet,
  table: FleetTable,
  onConflict = '',
): Promise<void> {
  if (staged[table].isEmpty) return;
  const names = staged[table].columns.join(', ');
  const order = table.startsWith('device_') ? ' order by org_id, device_id' : '';
  await client.query(
    `insert into ${table} (${names}) select ${names} from staged_${table}${order} ${onConflict}`,
  );
}

async function noteAlertedDevices(client: PoolClient, staged: StagedFleet): Promise<void> {
  await client.query(
    `create temporary table alerted_device on commit drop as
     ${staged.device.isEmpty ? '' : 'select id from staged_device union'}
     select device_id as id from staged_alert where device_id is not null
     union select a.device_id from alert a join staged_alert s on s.id = a.id where a.device_id is not null`,
  );
}

const COUNT_CRITICAL_ALERTS = `
  update device d set critical_alerts = c.count
  from (
    select t.id, count(a.id) filter (where a.severity = 'critical' and a.status = 'active') as count
    from alerted_device t
    left join alert a on a.device_id = t.id
    group by t.id
  ) c
  where d.id = c.id and d.critical_alerts <> c.count`;
