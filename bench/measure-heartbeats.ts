/**
 * Heartbeats on the loaded fleet write what an agent reports every minute. No volatile column is indexed, so every
 * write must be heap-only (HOT). The exceptions are a few that meet a full page that cannot be pruned because another
 * session reads it.
 */
import { Pool } from 'pg';
import { seededRandom } from '#adapters/demo/seeded-random.ts';
import type { FleetDatabase } from './fleet/fleet-database.ts';
import { fleetId } from './fleet/fleet-id.ts';
import type { FleetPlan } from './fleet/fleet-plan.ts';
import { tell } from './report/bench-progress.ts';
import { round, type Section } from './report/report.ts';
import { type Counters, readCounters as readFlushed, type Tally, tally } from './report/update-counters.ts';

const CONNECTIONS = 16;

/** Few connections, because one service gathers the heartbeats. */
const BATCH_CONNECTIONS = 4;

const HEARTBEATS = 20_000;
const BATCH_SIZE = 200;

/** Halves and whole numbers are exact, so the reverse change restores the fleet. */
const MOVE = `last_seen_at = last_seen_at + $2 * interval '1 second', cpu_percent = cpu_percent + $2 * 0.5,
  ram_percent = ram_percent + $2 * 0.5, disk_percent = disk_percent + $2 * 0.5,
  uptime_seconds = uptime_seconds + $2 * 60`;

const ONE = { name: 'one heartbeat', text: `update device set ${MOVE} where id = $1` };
const MANY = { name: 'heartbeats', text: `update device set ${MOVE} where id = any($1)` };

export async function measureHeartbeats(database: FleetDatabase, plan: FleetPlan): Promise<Section> {
  tell(`heartbeats on ${plan.size}`);
  const pool = new Pool({ connectionString: database.url, max: CONNECTIONS });
  try {
    const { count, single, batched, tallies } = await database.whileDirty(async () => {
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
        tallies: { single: tally(before, between), batched: tally(between, after) },
      };
    });
    const { updates, indexed } = add(tallies.single, tallies.batched);
    return {
      name: `Heartbeats on ${plan.size} devices`,
      goals: [
        {
          name: `${plan.size}: heartbeats that change nothing indexed, %`,
          value: (1 - indexed / updates) * 100,
          target: 100,
        },
      ],
      tables: [
        {
          title: `${count.toLocaleString('en')} heartbeats of devices drawn at random, each way`,
          columns: ['way', 'updates/s', 'HOT', 'to another page', 'indexed'],
          rows: [
            [
              `one statement and one durable commit each, ${CONNECTIONS} connections`,
              round(count / single),
              ...cells(tallies.single),
            ],
            [
              `${BATCH_SIZE} in a statement, ${BATCH_CONNECTIONS} connections`,
              round(count / batched),
              ...cells(tallies.batched),
            ],
          ],
        },
      ],
      notes: [
        'last_seen_at, the three metrics and uptime, by id; counts from pg_stat_user_tables, of devices and of their state,',
        'which a trigger keeps: two rows are written for each.',
        'To another page: its own was full. Indexed: an indexed column was changed (before PostgreSQL 16, both).',
      ],
      faults: [],
    };
  } finally {
    await pool.end();
  }
}

/** Returns seconds. */
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

async function readCounters(pool: Pool): Promise<Counters> {
  // Backends flush their counts after a second of idling, or on request.
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      pool.query('select pg_stat_force_next_flush(), pg_sleep(0.05)'),
    ),
  );
  return readFlushed(pool);
}

function add(one: Tally, other: Tally): Pick<Tally, 'updates' | 'indexed'> {
  return { updates: one.updates + other.updates, indexed: one.indexed + other.indexed };
}

function cells({ updates, hot, moved, indexed }: Tally): readonly (string | number)[] {
  return [`${hot.toLocaleString('en')} of ${updates.toLocaleString('en')}`, moved, indexed];
}

/** At most half of the fleet. */
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
