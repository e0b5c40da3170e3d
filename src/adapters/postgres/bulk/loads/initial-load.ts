/**
 * The first devices are written without indexes, keys and search blocks, which are then built in bulk. This
 * halves PostgreSQL's work, but it locks the tables, so nobody else may be using the database.
 */
import type { PoolClient } from 'pg';
import { PROCESS_MARK } from '#adapters/postgres/setup/connections/connection-config.ts';

/**
 * A first load of at least this many devices drops the indexes. Rebuilding them costs as much as writing a few thousand
 * devices with indexes in place.
 */
export const INITIAL_LOAD = 5_000;

const LOCK_TIMEOUT_MS = 2_000;

/** PostgreSQL's default would sort most indexes on disk. */
const BUILD_MEMORY = '256MB';

/**
 * Drops indexes and keys, which {@link endInitialLoad} must restore. Returns false and changes nothing if devices exist
 * or a table cannot be locked.
 */
export async function beginInitialLoad(client: PoolClient): Promise<boolean> {
  await client.query('savepoint initial_load');
  try {
    await client.query(
      `set local lock_timeout = ${LOCK_TIMEOUT_MS}; select begin_initial_load(); set local lock_timeout = 0`,
    );
    // Without indexes, a nested loop would read a whole table for each outer row.
    await client.query('set local enable_nestloop = off');
    return true;
  } catch {
    // A table is locked, or an object that the operator added depends on an index. The load keeps the indexes
    // and only takes longer.
    await client.query('rollback to savepoint initial_load');
    return false;
  }
}

export async function isUnused(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ is_unused: boolean }>(IS_UNUSED, [`%${PROCESS_MARK}`]);
  return rows[0]?.is_unused === true;
}

const IS_UNUSED = `
  select not exists (select from device) and not exists (
    select from pg_stat_activity
    where datname = current_database() and application_name like 'fleetsift%' and application_name not like $1
      and application_name <> 'fleetsift-lock'
  ) as is_unused`;

export async function endInitialLoad(client: PoolClient): Promise<void> {
  await client.query(`set local maintenance_work_mem = '${BUILD_MEMORY}'`);
  await client.query('select end_initial_load()');
  await client.query('set local enable_nestloop = default');
}
