/** How the rows of devices, and those of their state, were updated, by PostgreSQL's own counts. */
import type { Pool } from 'pg';

export interface Counters {
  readonly updates: number;
  /** Heap-only: on the same page, with no index written. */
  readonly hot: number;
  /** Not heap-only because the new row is on another page. Always 0 on PostgreSQL 15, which does not count them. */
  readonly moved: number;
}

/** As far as backends have flushed their counts. */
export async function readCounters(pool: Pool): Promise<Counters> {
  await pool.query('select pg_stat_clear_snapshot()');
  const { rows } = await pool.query<Counters>(
    `select sum(n_tup_upd)::float8 as updates, sum(n_tup_hot_upd)::float8 as hot,
       sum(coalesce((to_jsonb(t) ->> 'n_tup_newpage_upd')::float8, 0)) as moved
     from pg_stat_user_tables t where relname in ('device', 'device_state')`,
  );
  const [counters] = rows;
  if (counters === undefined) throw new Error('the table of devices has no statistics');
  return counters;
}

export interface Tally extends Counters {
  /** Not heap-only because an indexed column changed. */
  readonly indexed: number;
}

export function tally(before: Counters, after: Counters): Tally {
  const [updates, hot, moved] = [
    after.updates - before.updates,
    after.hot - before.hot,
    after.moved - before.moved,
  ];
  return { updates, hot, moved, indexed: updates - hot - moved };
}
