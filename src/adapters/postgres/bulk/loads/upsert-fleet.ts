/** Upserts a staged fleet, which has been checked, in the order of its references. */
import type { PoolClient } from 'pg';
import type { FleetTable, StagedFleet, StagedRowsOfFleet } from './fleet-tables.ts';
import { moveDevices } from './move-devices.ts';

/** The tables with rows of devices that a load replaces. */
export const PARTS_OF_DEVICES = ['device_hardware', 'device_network', 'device_software', 'patch'] as const;

/** How many records of people who are erased, and of their keys, were left out. */
export type LeftOut = Readonly<Record<'user' | 'apiKey', number>>;

export interface Upserted {
  readonly leftOut: LeftOut;
  /** How many devices changed their organization. */
  readonly moved: number;
}

/** All but the titles of organizations. `now` is an ISO timestamp for `created_at` and `updated_at`. */
export async function upsertFleet(client: PoolClient, staged: StagedFleet, now: string): Promise<Upserted> {
  const upsert = async (
    table: FleetTable,
    inserts: Readonly<Record<string, string>> = {},
    updates: Readonly<Record<string, string>> = {},
  ) => {
    if (staged[table].isEmpty) return;
    await client.query(
      upsertStatement(table, staged[table].columns, inserts, updates),
      Object.values(inserts).some((value) => value.includes('$1')) ? [now] : [],
    );
  };
  await upsert('partner');
  await upsert('organization');
  await upsert('site');
  const leftOut = await leaveErasedOut(client, staged);
  await releaseUniqueValues(client, staged);
  // A hash does not tell whether the password has changed, so the user's current tokens stop working.
  await upsert('app_user', SINCE_NOW, {
    ...KEPT_CREDENTIALS,
    created_at: 'app_user.created_at',
    auth_epoch: 'app_user.auth_epoch + 1',
  });
  if (!staged.app_user.isEmpty) {
    await client.query('delete from app_user_organization o using staged_app_user s where o.user_id = s.id');
    // They belong to the second factor, which may have changed.
    for (const table of ['mfa_enrollment', 'recovery_code']) {
      await client.query(
        `delete from ${table} t using staged_app_user s where t.user_id = s.id and ${BRINGS_CREDENTIALS('s')}`,
      );
    }
  }
  await insert(client, staged, 'app_user_organization');
  await insert(client, staged, 'recovery_code', 'on conflict do nothing');
  await upsert('api_key', CREATED_NOW, keptInstants('api_key'));
  await upsert('enrolment_key', {}, keptInstants('enrolment_key'));
  await upsert('custom_field');
  let moved = 0;
  if (!staged.device.isEmpty) {
    moved = await moveDevices(client);
    await update(client, staged, 'device', {
      system_uuid: 'coalesce(s.system_uuid, t.system_uuid)',
      reports_since: 'coalesce(s.reports_since, t.reports_since)',
    });
    await insertNewDevices(client, staged, { areNew: false });
    await insert(client, staged, 'device_inventory_id', 'on conflict do nothing');
    for (const table of PARTS_OF_DEVICES) {
      await client.query(`delete from ${table} t using staged_device s where t.device_id = s.id`);
      await insert(client, staged, table);
    }
  }
  await upsert('script');
  if (!staged.alert.isEmpty) {
    await noteAlertedDevices(client, staged);
    await update(client, staged, 'alert', { created_at: 'coalesce(s.created_at, t.created_at)' });
    await insertNewAlerts(client, staged, now);
    await client.query(COUNT_CRITICAL_ALERTS);
  }
  // An unchanged filter keeps its version; a changed one moves `updated_at`, always forward.
  const hasChanged = `(saved_filter.name, saved_filter.description, saved_filter.conditions)
    is distinct from (excluded.name, excluded.description, excluded.conditions)`;
  await upsert(
    'saved_filter',
    { ...SINCE_NOW, version: 'coalesce(version, 1)' },
    {
      created_at: 'saved_filter.created_at',
      updated_at: `case when ${hasChanged}
        then greatest(excluded.updated_at, saved_filter.updated_at + interval '1 millisecond')
        else saved_filter.updated_at end`,
      version: `saved_filter.version + case when ${hasChanged} then 1 else 0 end`,
    },
  );
  await insertNewRequests(client, staged);
  await insert(client, staged, 'audit_log', 'on conflict do nothing');
  return { leftOut, moved };
}

/** Of rows that are not there yet; a dump says when they were created. */
const CREATED_NOW = { created_at: 'coalesce(created_at, $1)' };
const SINCE_NOW = { ...CREATED_NOW, updated_at: 'coalesce(updated_at, $1)' };

/** Whether the row brings a password or a second factor. */
const BRINGS_CREDENTIALS = (row: string) =>
  `(${row}.password_hash is not null or ${row}.totp_secret is not null)`;

/** Who is there keeps what the load does not bring. */
const KEPT_CREDENTIALS = {
  password_hash: 'coalesce(excluded.password_hash, app_user.password_hash)',
  totp_secret: `case when ${BRINGS_CREDENTIALS('excluded')} then excluded.totp_secret else app_user.totp_secret end`,
};

/** Keys are created once, and what was revoked stays so. */
function keptInstants(table: 'api_key' | 'enrolment_key'): Readonly<Record<string, string>> {
  return {
    created_at: `${table}.created_at`,
    revoked_at: `coalesce(${table}.revoked_at, excluded.revoked_at)`,
  };
}

/** An erased user stays erased: nothing that the fleet says about them is stored again. */
async function leaveErasedOut(client: PoolClient, staged: StagedFleet): Promise<LeftOut> {
  // Locked, so that nobody is erased before the load commits. Open deletion requests move along with their people,
  // and whoever decides one locks it before the person.
  if (!staged.app_user.isEmpty) {
    await client.query(
      `select 1 from account_deletion_request r join staged_app_user s on s.id = r.user_id
       where r.status in ('pending', 'processing') order by r.id for update of r`,
    );
    await client.query('select 1 from app_user u join staged_app_user s on s.id = u.id for update of u');
  }
  const leaveOut = async (table: FleetTable, userId: string) => {
    if (staged[table].isEmpty) return 0;
    const { rowCount } = await client.query(
      `delete from staged_${table} s using app_user u where u.id = s.${userId} and u.status = 'deleted'`,
    );
    return rowCount ?? 0;
  };
  await leaveOut('app_user_organization', 'user_id');
  await leaveOut('recovery_code', 'user_id');
  if (!staged.account_deletion_request.isEmpty) {
    // The closed ones are on record, whosever they are.
    await client.query(
      `delete from staged_account_deletion_request s using app_user u
       where u.id = s.user_id and u.status = 'deleted' and s.status in ('pending', 'processing')`,
    );
  }
  return { user: await leaveOut('app_user', 'id'), apiKey: await leaveOut('api_key', 'user_id') };
}

/**
 * Unique values can move between rows within a load, but PostgreSQL checks each row as it is written. So every row
 * that gives up its value first takes its own id in its place, which no other row has.
 */
async function releaseUniqueValues(client: PoolClient, staged: StagedFleet): Promise<void> {
  const columns = [
    ['app_user', 'email_lc'],
    ['api_key', 'key_sha256'],
    ['enrolment_key', 'key_sha256'],
    ['custom_field', 'key'],
  ] as const;
  for (const [table, column] of columns) {
    if (staged[table].isEmpty) continue;
    await client.query(
      `update ${table} t set ${column} = t.id::text from staged_${table} s
       where t.id = s.id and t.${column} <> s.${column}`,
    );
  }
}

/** `inserts` and `updates` are the values of columns that are not taken as they are staged. */
function upsertStatement(
  table: FleetTable,
  columns: readonly string[],
  inserts: Readonly<Record<string, string>>,
  updates: Readonly<Record<string, string>>,
): string {
  const values = columns.map((column) => inserts[column] ?? column);
  const changed = new Set([...columns.filter((column) => column !== 'id'), ...Object.keys(updates)]);
  const changes = [...changed].map((column) => `${column} = ${updates[column] ?? `excluded.${column}`}`);
  return `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from staged_${table}
          on conflict (id) do update set ${changes.join(', ')}`;
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
 * `areNew` says that none is there yet, so that none needs to be looked for.
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

/** An open request belongs where its person does, whatever the file says (Contract: §7). */
async function insertNewRequests(client: PoolClient, staged: StagedFleet): Promise<void> {
  if (staged.account_deletion_request.isEmpty) return;
  const names = staged.account_deletion_request.columns;
  const values = names.map((name) =>
    name === 'org_id' || name === 'partner_id'
      ? `case when s.status in ('pending', 'processing') then u.${name} else s.${name} end`
      : `s.${name}`,
  );
  await client.query(
    `insert into account_deletion_request (${names.join(', ')}) select ${values.join(', ')}
     from staged_account_deletion_request s join app_user u on u.id = s.user_id
     on conflict (id) do nothing`,
  );
}

/** Notes the devices that the load touches, directly or through an alert that refers to them now or did before. */
async function noteAlertedDevices(client: PoolClient, staged: StagedFleet): Promise<void> {
  await client.query(
    `create temporary table alerted_device on commit drop as
     ${staged.device.isEmpty ? '' : 'select id from staged_device union'}
     select device_id as id from staged_alert where device_id is not null
     union select a.device_id from alert a join staged_alert s on s.id = a.id where a.device_id is not null`,
  );
}

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
