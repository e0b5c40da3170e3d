/** Whether the database is fit to serve requests, as `/readyz` reports it (Contract: §9). */
import type { Pool } from 'pg';
import { MIGRATIONS } from './migrations/migration-list.ts';

export interface DatabaseReadiness {
  /** The database is reachable. */
  readonly database: boolean;
  /** Every migration has run. */
  readonly migrations: boolean;
  /** The service works under a role that row-level security applies to. */
  readonly role: boolean;
}

/** `pool` connects as the app role. Never rejects: a database that cannot be reached is not ready. */
export async function checkReadiness(pool: Pool): Promise<DatabaseReadiness> {
  try {
    const { rows } = await pool.query<{ migrations: number; role: boolean }>(
      `select (select count(*)::int from mikro_orm_migrations where name = any($1)) as migrations,
              not (rolsuper or rolbypassrls) as role
       from pg_roles where rolname = current_user`,
      [MIGRATIONS.map(({ name }) => name)],
    );
    return {
      database: true,
      migrations: rows[0]?.migrations === MIGRATIONS.length,
      role: rows[0]?.role === true,
    };
  } catch {
    return { database: false, migrations: false, role: false };
  }
}
