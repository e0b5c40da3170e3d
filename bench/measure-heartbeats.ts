/**
 * Heartbeats on the loaded fleet: each writes what an agent reports every minute. With nothing volatile indexed,
 * every one of them has to be heap-only (HOT), whatever indexes search and filters have.
 */
import { Pool } from 'pg';
import { seededRandom } from '#adapters/demo/seeded-random.ts';
import { tell } from './bench-progress.ts';
import type { FleetDatabase } from './fleet-database.ts';
import { fleetId } from './fleet-id.ts';
import type { FleetPlan } from './fleet-plan.ts';
import { round, type Section } from './report.ts';

const CONNECTIONS = 16;

/** Batches come from few connections: whoever gathers heartbeats is one service, not many agents. */
const BATCH_CONNECTIONS = 4;

/** Single heartbeats at most, and as many in batches. */
const HEARTBEATS = 20_000;
const BATCH_SIZE = 200;

/** By how much every value moves; halves and whole numbers are exact, so that moving back restores the fleet. */
const MOVE = `last_seen_at = last_seen_at + $2 * interval '1 second', cpu_percent = cpu_percent + $2 * 0.5,
  ram_percent = ram_percent + $2 * 0.5, disk_percent = disk_percent + $2 * 0.5,
  uptime_seconds = uptime_seconds + $2 * 60`;

const ONE = { name: 'one heartbeat', text: `update device set ${MOVE} where id = $1` };
const MANY = { name: 'heartbeats', text: `update device set ${MOVE} where id = any($1)` };

export async function measureHeartbeats(database: FleetDatabase, plan: FleetPlan): Promise<Section> {
  tell(`heartbeats on ${plan.size}`);
  const pool = new Pool({ connectionString: database.url, max: CONNECTIONS });
  try {
    const { count, single, batched, shares } = await database.whileDirty(async () => {
      const singles = drawIds(plan, 'singles');
      const batches = toBatches(drawIds(plan, 'batches'));
      const before = await readCounters(pool);
      const single = await run(pool, CONNECTIONS, ONE, singles, 1);
      const between = await readCounters(pool);
      const batched = await run(pool, BATCH_CONNECTIONS, MANY, batches, 1);
      const after = await readCounters(pool);
      await run(pool, BATCH_CONNECTIONS, MANY, [...toBatches(singles), ...batches], -1);
      return {
        count: singles.length,
        single,
        batched,
        shares: [hotShare(before, between), hotShare(between, after)],
      };
    });
    const [singleShare = 0, batchShare = 0] = shares;
    return {
      name: `Heartbeats on ${plan.size} devices`,
      goals: [
        {
          name: `${plan.size}: heartbeats that are HOT, %`,
          value: Math.min(singleShare, batchShare) * 100,
          target: 100,
        },
      ],
      tables: [
        {
          title: `${count.toLocaleString('en')} heartbeats of devices drawn at random, each way`,
          columns: ['way', 'updates/s', 'HOT'],
          rows: [
            [
              `one statement and one durable commit each, ${CONNECTIONS} connections`,
              round(count / single),
              `${round(singleShare * 100)} %`,
            ],
            [
              `${BATCH_SIZE} in a statement, ${BATCH_CONNECTIONS} connections`,
              round(count / batched),
              `${round(batchShare * 100)} %`,
            ],
          ],
        },
      ],
      notes: ['last_seen_at, the three metrics and uptime, by id; counted by pg_stat_user_tables.'],
      faults: [],
    };
  } finally {
    await pool.end();
  }
}

/** The seconds it took. */
async function run(
  pool: Pool,
  connections: number,
  statement: typeof ONE,
  targets: readonly unknown[],
  move: 1 | -1,
): Promise<number> {
  const startedAt = performance.now();
  const queue = targets.values();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const target of queue) await pool.query({ ...statement, values: [target, move] });
    }),
  );
  return (performance.now() - startedAt) / 1_000;
}

interface Counters {
  readonly updates: number;
  readonly hot: number;
}

async function readCounters(pool: Pool): Promise<Counters> {
  // Backends hand in their counts when they are idle for a second, or when they are told to.
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      pool.query('select pg_stat_force_next_flush(), pg_sleep(0.05)'),
    ),
  );
  await pool.query('select pg_stat_clear_snapshot()');
  const { rows } = await pool.query<Counters>(
    `select n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as hot from pg_stat_user_tables where relname = 'device'`,
  );
  const [counters] = rows;
  if (counters === undefined) throw new Error('the table of devices has no statistics');
  return counters;
}

function hotShare(before: Counters, after: Counters): number {
  return (after.hot - before.hot) / (after.updates - before.updates);
}

/** Different devices from the whole fleet, at most half of it. */
function drawIds({ devices }: FleetPlan, name: string): readonly string[] {
  const random = seededRandom(name);
  const ids = new Set<string>();
  while (ids.size < Math.min(HEARTBEATS, devices / 2))
    ids.add(fleetId('device', random.integer(0, devices - 1)));
  return [...ids];
}

function toBatches(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, i) =>
    ids.slice(i * BATCH_SIZE, (i + 1) * BATCH_SIZE),
  );
}
