import type { Pool } from 'pg';
import type { Clock, SharedClock } from '#application/ports/clock.ts';

/** The database's clock, or the host's in its place. */
export function makeSharedClock(pool: Pick<Pool, 'query'>, hostClock: Clock | undefined): SharedClock {
  if (hostClock !== undefined) return async () => hostClock();
  return async () => {
    // Rounded like the columns, so what was just written is not after it.
    const { rows } = await pool.query<{ now: Date }>('select clock_timestamp()::timestamptz(3) as now');
    const [row] = rows;
    if (row === undefined) throw new Error('the database did not tell the time');
    return row.now.getTime();
  };
}
