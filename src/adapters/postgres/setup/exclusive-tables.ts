/**
 * A schema change that held some tables while waiting for another would block everybody and could deadlock.
 * So it locks all tables within a moment, or it locks none and tries again after a pause.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { UnusableDatabaseError } from './explain-failure.ts';

/**
 * Waiting longer helps little. The transaction that uses the table usually waits for another table that is already
 * locked here, and PostgreSQL ends such a deadlock only after a second.
 */
const LOCK_WAIT_MS = 100;

/** Longer than any export may take. */
const PATIENCE_MS = 15 * 60_000;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

export interface Patience {
  /** How long to keep trying. Default: 15 minutes. */
  readonly patienceMs?: number;
  readonly onProgress?: (message: string) => void;
}

/** Must come first in a transaction. If a table is in use, returns false, and the transaction has failed. */
async function tryLockTables(owner: Client): Promise<boolean> {
  const { rows } = await owner.query<{ name: string }>(OWN_TABLES);
  if (rows.length === 0) return true;
  await owner.query(`set local statement_timeout = ${LOCK_WAIT_MS}`);
  try {
    await owner.query(`lock table ${rows.map(({ name }) => name).join(', ')} in access exclusive mode`);
    // On a busy machine, even this statement can exceed the limit.
    await owner.query('set local statement_timeout to default');
  } catch (error) {
    if (isWaitOver(error)) return false;
    throw error;
  }
  return true;
}

/** Leaves out partitions, which are locked with their table, and `mikro_orm_migrations`, which nobody else changes. */
const OWN_TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'mikro_orm_migrations' and pg_has_role(c.relowner, 'member')
  order by c.relname`;

function isWaitOver(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '57014' || error.code === '55P03');
}

/** Throws `UnusableDatabaseError` when its patience ends. */
export async function withTablesLocked(
  owner: Client,
  { patienceMs = PATIENCE_MS, onProgress }: Patience,
  work: () => Promise<void>,
): Promise<void> {
  const end = performance.now() + patienceMs;
  let hasTold = false;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      await owner.query('begin');
      if (await tryLockTables(owner)) {
        await work();
        await owner.query('commit');
        return;
      }
      await owner.query('rollback');
    } catch (error) {
      await owner.query('rollback').catch(() => undefined);
      throw error;
    }
    const users = await findUsers(owner);
    if (performance.now() + pause > end) {
      throw new UnusableDatabaseError(
        `The database could not be changed because its tables stayed in use, last by ${users}. Nothing was changed. Stop the other instances, or end those connections (select pg_terminate_backend(pid)), and start again`,
      );
    }
    if (!hasTold) onProgress?.(`waiting for the tables, which are in use by ${users}`);
    hasTold = true;
    await sleep(pause);
  }
}

async function findUsers(owner: Client): Promise<string> {
  const { rows } = await owner.query<{ pid: number; application: string }>(
    `select a.pid, coalesce(nullif(a.application_name, ''), a.backend_type, 'a connection') as application
     from pg_stat_activity a
     where a.datname = current_database() and a.pid <> pg_backend_pid()
       and exists (select 1 from pg_locks l join pg_class c on c.oid = l.relation
                   where l.pid = a.pid and l.granted and c.relkind in ('r', 'p')
                     and c.relnamespace = current_schema()::regnamespace)
     order by a.xact_start nulls last limit 3`,
  );
  if (rows.length === 0) return 'other connections';
  return rows.map(({ pid, application }) => `${application} (pid ${pid})`).join(', ');
}
