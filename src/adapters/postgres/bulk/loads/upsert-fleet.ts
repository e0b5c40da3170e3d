/** Upserts a staged and checked fleet. Referenced rows come before the rows that refer to them. */
import type { PoolClient } from 'pg';
import type { FleetTable, StagedFleet } from './staging.ts';
import { insert, upsertAlerts, upsertDevices } from './upsert-devices.ts';

export interface Upserted {
  readonly leftOut: Readonly<Record<'user' | 'apiKey', number>>;
  readonly moved: number;
}

/**
 * Upserts everything but the organizations' lists of titles. `now` is an ISO timestamp for `created_at` and
 * `updated_at`.
 */
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
  await releaseUniqueValues(client, staged, PLACES);
  await upsert('partner');
  await upsert('organization');
  await upsert('site');
  const leftOut = await leaveErasedOut(client, staged);
  await releaseUniqueValues(client, staged, PEOPLE_AND_FIELDS);
  // Hashes do not show whether a password has changed, so every loaded user's current tokens are revoked.
  await upsert('app_user', SINCE_NOW, {
    ...KEPT_CREDENTIALS,
    created_at: 'app_user.created_at',
    auth_epoch: 'app_user.auth_epoch + 1',
  });
  if (!staged.app_user.isEmpty) {
    await client.query('delete from app_user_organization o using staged_app_user s where o.user_id = s.id');
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
  const moved = staged.device.isEmpty ? 0 : await upsertDevices(client, staged);
  await upsert('script');
  if (!staged.alert.isEmpty) await upsertAlerts(client, staged, now);
  // Only a changed filter gets a new version and a new `updated_at`, which never goes back.
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
      changed_by: `case when ${hasChanged} then null else saved_filter.changed_by end`,
    },
  );
  await insertNewRequests(client, staged);
  await insert(client, staged, 'audit_log', 'on conflict do nothing');
  return { leftOut, moved };
}

const CREATED_NOW = { created_at: 'coalesce(created_at, $1)' };
const SINCE_NOW = { ...CREATED_NOW, updated_at: 'coalesce(updated_at, $1)' };

const BRINGS_CREDENTIALS = (row: string) =>
  `(${row}.password_hash is not null or ${row}.totp_secret is not null)`;

/** Existing users keep the credentials that the load does not contain. */
const KEPT_CREDENTIALS = {
  password_hash: 'coalesce(excluded.password_hash, app_user.password_hash)',
  totp_secret: `case when ${BRINGS_CREDENTIALS('excluded')} then excluded.totp_secret else app_user.totp_secret end`,
};

function keptInstants(table: 'api_key' | 'enrolment_key'): Readonly<Record<string, string>> {
  return {
    created_at: `${table}.created_at`,
    revoked_at: `coalesce(${table}.revoked_at, excluded.revoked_at)`,
  };
}

async function leaveErasedOut(client: PoolClient, staged: StagedFleet): Promise<Upserted['leftOut']> {
  // From here to the commit, nobody can be erased. Requests are locked before users, as in every decision on a request.
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
    // Closed requests are loaded even for erased users, as a record.
    await client.query(
      `delete from staged_account_deletion_request s using app_user u
       where u.id = s.user_id and u.status = 'deleted' and s.status in ('pending', 'processing')`,
    );
  }
  return { user: await leaveOut('app_user', 'id'), apiKey: await leaveOut('api_key', 'user_id') };
}

/**
 * Unique values can move between rows within a load, but PostgreSQL checks each row as it is written. So a
 * row that gives up its value gets its own id as a placeholder.
 */
async function releaseUniqueValues(
  client: PoolClient,
  staged: StagedFleet,
  columns: readonly (readonly [FleetTable, string])[],
): Promise<void> {
  for (const [table, column] of columns) {
    if (staged[table].isEmpty) continue;
    await client.query(
      `update ${table} t set ${column} = t.id::text from staged_${table} s
       where t.id = s.id and t.${column} <> s.${column}`,
    );
  }
}

const PLACES = [
  ['partner', 'name'],
  ['organization', 'name'],
  ['site', 'name'],
] as const;

const PEOPLE_AND_FIELDS = [
  ['app_user', 'email_lc'],
  ['api_key', 'key_sha256'],
  ['enrolment_key', 'key_sha256'],
  ['custom_field', 'key'],
] as const;

/** `inserts` and `updates` map columns to SQL that replaces the staged value. */
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

/** An open request gets the tenant of its user, whatever the file says (Contract: §7). */
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
