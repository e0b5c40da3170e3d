/** Upserts a staged fleet, which has been checked, in the order of its references. */
import type { PoolClient } from 'pg';
import type { FleetTable, StagedFleet } from './fleet-tables.ts';
import { noteStagedTitles } from './software-titles.ts';

/** The tables with rows of devices that a load replaces. */
export const PARTS_OF_DEVICES = ['device_hardware', 'device_network', 'device_software', 'patch'] as const;

/** How many records of people who are erased, and of their keys, were left out. */
export type LeftOut = Readonly<Record<'user' | 'apiKey', number>>;

/** `now` is an ISO timestamp for `created_at` and `updated_at`. */
export async function upsertFleet(client: PoolClient, staged: StagedFleet, now: string): Promise<LeftOut> {
  const upsert = (
    table: FleetTable,
    extra: Readonly<Record<string, string>> = {},
    updates: readonly string[] = [],
  ) =>
    client.query(upsertStatement(table, staged[table].columns, extra, updates), [...extraValues(extra, now)]);
  await upsert('partner');
  await upsert('organization');
  await upsert('site');
  const leftOut = await leaveErasedOut(client);
  await releaseUniqueValues(client);
  // A hash does not tell whether the password has changed, so the user's current tokens stop working.
  await upsert('app_user', { created_at: '$1', updated_at: '$1' }, [
    'updated_at = excluded.updated_at',
    `status = 'active'`,
    'auth_epoch = app_user.auth_epoch + 1',
  ]);
  await client.query('delete from app_user_organization o using staged_app_user s where o.user_id = s.id');
  // They belong to the second factor, which may have changed.
  for (const table of ['mfa_enrollment', 'recovery_code']) {
    await client.query(`delete from ${table} t using staged_app_user s where t.user_id = s.id`);
  }
  await insert(client, staged, 'app_user_organization');
  await upsert('api_key', { created_at: '$1' });
  await upsert('custom_field');
  await update(client, staged, 'device');
  await insertNewDevices(client, staged);
  for (const table of PARTS_OF_DEVICES) {
    await client.query(`delete from ${table} t using staged_device s where t.device_id = s.id`);
    await insert(client, staged, table);
  }
  await upsert('script');
  await client.query(NOTE_ALERTED_DEVICES);
  await update(client, staged, 'alert', { created_at: 'coalesce(s.created_at, t.created_at)' });
  await insertNewAlerts(client, staged, now);
  await client.query(COUNT_CRITICAL_ALERTS);
  // An unchanged filter keeps its version; a changed one moves `updated_at`, always forward.
  const hasChanged = `(saved_filter.name, saved_filter.description, saved_filter.conditions)
    is distinct from (excluded.name, excluded.description, excluded.conditions)`;
  await upsert('saved_filter', { created_at: '$1', updated_at: '$1', version: '1' }, [
    `updated_at = case when ${hasChanged}
       then greatest(excluded.updated_at, saved_filter.updated_at + interval '1 millisecond')
       else saved_filter.updated_at end`,
    `version = saved_filter.version + case when ${hasChanged} then 1 else 0 end`,
  ]);
  // Last, so that an inventory with the same new title waits for as little of the load as can be.
  await noteStagedTitles(client);
  return leftOut;
}

/** An erased user stays erased: nothing that the fleet says about them is stored again. */
async function leaveErasedOut(client: PoolClient): Promise<LeftOut> {
  // Locked, so that nobody is erased before the load commits. Open deletion requests move along with their people,
  // and whoever decides one locks it before the person.
  await client.query(
    `select 1 from account_deletion_request r join staged_app_user s on s.id = r.user_id
     where r.status in ('pending', 'processing') order by r.id for update of r`,
  );
  await client.query('select 1 from app_user u join staged_app_user s on s.id = u.id for update of u');
  const leaveOut = async (table: string, userId: string) => {
    const { rowCount } = await client.query(
      `delete from staged_${table} s using app_user u where u.id = s.${userId} and u.status = 'deleted'`,
    );
    return rowCount ?? 0;
  };
  await leaveOut('app_user_organization', 'user_id');
  return { user: await leaveOut('app_user', 'id'), apiKey: await leaveOut('api_key', 'user_id') };
}

/**
 * Unique values can move between rows within a load, but PostgreSQL checks each row as it is written. So every row
 * that gives up its value first takes its own id in its place, which no other row has.
 */
async function releaseUniqueValues(client: PoolClient): Promise<void> {
  const columns = [
    ['app_user', 'email_lc'],
    ['api_key', 'key_sha256'],
    ['custom_field', 'key'],
  ] as const;
  for (const [table, column] of columns) {
    await client.query(
      `update ${table} t set ${column} = t.id::text from staged_${table} s
       where t.id = s.id and t.${column} <> s.${column}`,
    );
  }
}

function extraValues(extra: Readonly<Record<string, string>>, now: string): readonly string[] {
  return Object.values(extra).includes('$1') ? [now] : [];
}

function upsertStatement(
  table: FleetTable,
  columns: readonly string[],
  extra: Readonly<Record<string, string>>,
  updates: readonly string[],
): string {
  const names = [...columns, ...Object.keys(extra)].join(', ');
  const values = [...columns, ...Object.entries(extra).map(([, value]) => value)].join(', ');
  const changes = [
    ...columns.filter((column) => column !== 'id').map((column) => `${column} = excluded.${column}`),
    ...updates,
  ].join(', ');
  return `insert into ${table} (${names}) select ${values} from staged_${table}
          on conflict (id) do update set ${changes}`;
}

/** Updates the rows that exist; `values` are those that are not taken as they are staged. */
async function update(
  client: PoolClient,
  staged: StagedFleet,
  table: FleetTable,
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  const changes = staged[table].columns
    .filter((column) => column !== 'id')
    .map((column) => `${column} = ${values[column] ?? `s.${column}`}`);
  await client.query(`update ${table} t set ${changes.join(', ')} from staged_${table} s where t.id = s.id`);
}

/**
 * Inserts the others, created now unless they say when. Only loads choose ids, so no such row can appear meanwhile.
 */
async function insertNewAlerts(client: PoolClient, staged: StagedFleet, now: string): Promise<void> {
  const names = staged.alert.columns;
  const values = names.map((name) => (name === 'created_at' ? 'coalesce(s.created_at, $1)' : `s.${name}`));
  await client.query(
    `insert into alert (${names.join(', ')}) select ${values.join(', ')} from staged_alert s
     where not exists (select 1 from alert t where t.id = s.id)`,
    [now],
  );
}

/**
 * Devices are written organization by organization, so that previews of one read neighbouring pages. A new device
 * has no alerts but those of this load; counting them afterwards would write every index entry a second time.
 */
export async function insertNewDevices(client: PoolClient, staged: StagedFleet): Promise<void> {
  const names = staged.device.columns;
  await client.query(
    `insert into device (${names.join(', ')}, critical_alerts)
     select ${names.map((name) => `s.${name}`).join(', ')}, coalesce(c.count, 0)
     from staged_device s
     left join (
       select device_id, count(*) from staged_alert
       where severity = 'critical' and status = 'active' and device_id is not null
       group by device_id
     ) c on c.device_id = s.id
     where not exists (select 1 from device t where t.id = s.id)
     order by s.org_id, s.hostname_lc, s.id`,
  );
}

export async function insert(client: PoolClient, staged: StagedFleet, table: FleetTable): Promise<void> {
  const names = staged[table].columns.join(', ');
  const order = table.startsWith('device_') ? ' order by org_id, device_id' : '';
  await client.query(`insert into ${table} (${names}) select ${names} from staged_${table}${order}`);
}

/** The devices that the load touches, directly or through an alert that refers to them now or did before. */
const NOTE_ALERTED_DEVICES = `
  create temporary table alerted_device on commit drop as
  select id from staged_device
  union select device_id from staged_alert where device_id is not null
  union select a.device_id from alert a join staged_alert s on s.id = a.id where a.device_id is not null`;

/** Updates the alert counters of these devices. */
const COUNT_CRITICAL_ALERTS = `
  update device d set critical_alerts = c.count
  from (
    select t.id, count(a.id) filter (where a.severity = 'critical' and a.status = 'active') as count
    from alerted_device t
    left join alert a on a.device_id = t.id
    group by t.id
  ) c
  where d.id = c.id and d.critical_alerts <> c.count`;
