/** Contract: §9, `/readyz`. */
import type { Pool, QueryConfig } from 'pg';
import { DEFAULT_PATIENCE_MS } from './connections/connection-config.ts';
import type { DatabaseReadiness } from './database-readiness.ts';
import { BASELINE } from './migrate-database.ts';
import { MIGRATIONS } from './migrations/migration-list.ts';

const RECORDED = [BASELINE, ...MIGRATIONS.map(({ name }) => name)];

/** `pool` connects as the app role. Never rejects: a database that does not answer in time is not ready. */
export async function checkReadiness(
  pool: Pool,
  patienceMs = DEFAULT_PATIENCE_MS,
): Promise<DatabaseReadiness> {
  try {
    const question: QueryConfig & { readonly query_timeout: number } = {
      text: `select current_setting('transaction_read_only') = 'off' as writable,
                    (select count(*)::int from mikro_orm_migrations where name = any($1)) as migrations,
                    not (rolsuper or rolbypassrls) as role
             from pg_roles where rolname = current_user`,
      values: [RECORDED],
      query_timeout: patienceMs,
    };
    const { rows } = await pool.query<{ writable: boolean; migrations: number; role: boolean }>(question);
    const isPrimary = rows[0]?.writable === true;
    return {
      database: true,
      writable: isPrimary && (await hasRoom(pool, patienceMs)),
      migrations: rows[0]?.migrations === RECORDED.length,
      role: rows[0]?.role === true,
    };
  } catch {
    return { database: false, writable: false, migrations: false, role: false };
  }
}

/**
 * Proves that the disk has room: sorting a megabyte exceeds `work_mem`, so PostgreSQL writes a file next to
 * the tables. An insert can use room in an existing page, so it would prove nothing.
 */
const WRITE = `do $$ begin
  perform set_config('work_mem', '64kB', true);
  perform count(distinct repeat(md5(i::text), 32)) from generate_series(1, 1000) i;
end $$`;

async function hasRoom(pool: Pool, patienceMs: number): Promise<boolean> {
  const write: QueryConfig & { readonly query_timeout: number } = { text: WRITE, query_timeout: patienceMs };
  try {
    await pool.query(write);
    return true;
  } catch {
    return false;
  }
}
