/**
 * The first devices of a database are written without its indexes, foreign keys and blocks of searches, which are then
 * built and checked in bulk, in the same transaction (`schema/initial-load.ts`). The load has the
 * tables to itself until it ends, so this suits only a database that nobody else uses.
 */
import type { PoolClient } from 'pg';
import { PROCESS_MARK } from '#adapters/postgres/setup/connections/connection-config.ts';

/** In devices. Putting the indexes back takes as long as writing some thousand devices with them. */
export const INITIAL_LOAD = 5_000;

/** How long to wait for others to let go of the tables, in milliseconds. */
const LOCK_TIMEOUT_MS = 2_000;

/** What an index is sorted in as it is built; with PostgreSQL's own default, most are sorted on disk. */
const BUILD_MEMORY = '256MB';

/**
 * Takes the indexes and keys away and returns true; then {@link endInitialLoad} has to put them back. Returns false and
 * changes nothing if there are devices, or if the tables cannot be had.
 */
export async function beginInitialLoad(client: PoolClient): Promise<boolean> {
  await client.query('savepoint initial_load');
  try {
    await client.query(
      `set local lock_timeout = ${LOCK_TIMEOUT_MS}; select begin_initial_load(); set local lock_timeout = 0`,
    );
    // Where it looks for the first match only, PostgreSQL would go through a whole table for each row.
    await client.query('set local enable_nestloop = off');
    return true;
  } catch {
    // Somebody holds a table, or something of the operator's own depends on an index: row by row takes longer, no more.
    await client.query('rollback to savepoint initial_load');
    return false;
  }
}

/** Whether there are no devices, and no other process of the service is connected, as far as this one can see. */
export async function isUnused(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ is_unused: boolean }>(IS_UNUSED, [`%${PROCESS_MARK}`]);
  return rows[0]?.is_unused === true;
}

/** Of a service that waits for its next request, only the connections show. */
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
