/**
 * The first devices of a database are written without its indexes, keys and search blocks, which are then built and
 * checked in bulk, in the same transaction: this halves the work of PostgreSQL. The load locks the tables until it ends,
 * so it is done only if nobody else uses the database.
 */
import type { PoolClient } from 'pg';
import { PROCESS_MARK } from '#adapters/postgres/setup/connections/connection-config.ts';

/** In devices. Putting the indexes back takes as long as writing some thousand devices with them. */
export const INITIAL_LOAD = 5_000;

/** The longest wait for the locks on the tables, in milliseconds. */
const LOCK_TIMEOUT_MS = 2_000;

/** With PostgreSQL's default, most indexes would be sorted on disk. */
const BUILD_MEMORY = '256MB';

/**
 * Drops the indexes and keys and returns true; {@link endInitialLoad} must put them back. Returns false and changes
 * nothing if there are devices or the tables cannot be locked.
 */
export async function beginInitialLoad(client: PoolClient): Promise<boolean> {
  await client.query('savepoint initial_load');
  try {
    await client.query(
      `set local lock_timeout = ${LOCK_TIMEOUT_MS}; select begin_initial_load(); set local lock_timeout = 0`,
    );
    // Without indexes, a nested loop reads a whole table for each row.
    await client.query('set local enable_nestloop = off');
    return true;
  } catch {
    // A table is locked, or an object of the operator's depends on an index. A load with indexes only takes longer.
    await client.query('rollback to savepoint initial_load');
    return false;
  }
}

/** Whether there are no devices, and this process sees no connection of another one. */
export async function isUnused(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ is_unused: boolean }>(IS_UNUSED, [`%${PROCESS_MARK}`]);
  return rows[0]?.is_unused === true;
}

/** An idle service shows only by its connections. */
const IS_UNUSED = `
  select not exists (select from device) and not exists (
    select from pg_stat_activity
    where datname = current_database() and application_name like 'fleetsift%' and application_name not like $1
      and application_name <> 'fleetsift-lock'
  ) as is_unused`;

/** Builds the blocks and the indexes, and checks the keys. */
export async function endInitialLoad(client: PoolClient): Promise<void> {
  await client.query(`set local maintenance_work_mem = '${BUILD_MEMORY}'`);
  await client.query('select end_initial_load()');
  await client.query('set local enable_nestloop = default');
}
