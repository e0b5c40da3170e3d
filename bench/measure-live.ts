/**
 * Watched filters on the loaded fleet: from a commit to its change at a reader while agents report, what a heartbeat
 * costs, and how fast evaluations catch up with changes of the whole fleet and with timers.
 */
import { Pool } from 'pg';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { startWorker } from '#adapters/system/worker.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import { makeMembershipsJob } from '#application/live/membership-jobs.ts';
import type { Log } from '#application/ports/log.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { FilterId } from '#domain/ids.ts';
import type { FleetDatabase } from './fleet/fleet-database.ts';
import { fleetId } from './fleet/fleet-id.ts';
import { type FleetPlan, ORGANIZATION_COUNT, orgIdAt } from './fleet/fleet-plan.ts';
import { sampleDevices } from './matching/sample-devices.ts';
import { drawFilter } from './matching/saved-filter-set.ts';
import { tell } from './report/bench-progress.ts';
import { round, type Section } from './report/report.ts';
import { median } from './report/statistics.ts';
import { readCounters, tally } from './report/update-counters.ts';

const FILTER_COUNTS = [100, 1_000, 10_000] as const;
const REPORTS_A_SECOND = 500;
const REPORT_SECONDS = 20;
const PROBES = 60;
const HEARTBEATS = 4_000;
const TIMERS = 50_000;

/** Agents that report at once. */
const CONNECTIONS = 8;

const PROBE_TAG = 'live-probe';

/** What an agent reports every minute. It keeps the device within every span that filters ask about. */
const HEARTBEAT = {
  name: 'live heartbeat',
  text: `update device set last_seen_at = now(), cpu_percent = (cpu_percent::int + 1) % 50,
    uptime_seconds = uptime_seconds + 60 where id = $1`,
};

export async function measureLive(database: FleetDatabase, plan: FleetPlan): Promise<Section> {
  tell(`watched filters on ${plan.size}`);
  const pool = new Pool({ connectionString: database.url, max: CONNECTIONS });
  const { backend } = database.service;
  const { memberships } = backend;
  const evaluate = makeEvaluateMemberships({ memberships, translatePattern, clock: Date.now });
  const job = makeMembershipsJob({ memberships, evaluate, clock: Date.now });
  const never = { stopping: new AbortController().signal, aborting: new AbortController().signal };
  const catchUp = async () => {
    const startedAt = performance.now();
    while ((await memberships.waiting(Date.now())).length > 0) await job.run(never);
    return performance.now() - startedAt;
  };
  const ids = Array.from({ length: plan.devices }, (_, n) => fleetId('device', n));
  const heartbeat = (n: number) => pool.query({ ...HEARTBEAT, values: [ids[(n * 7_919) % ids.length]] });
  const beat = async () => {
    const startedAt = performance.now();
    let next = 0;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (next < HEARTBEATS) await heartbeat(next++);
      }),
    );
    return ((performance.now() - startedAt) * CONNECTIONS) / HEARTBEATS;
  };
  try {
    return await database.whileDirty(async () => {
      await pool.query('update device set last_seen_at = now()');
      await beat();
      const costs: Record<'without' | 'with', number[]> = { without: [], with: [] };
      for (let i = 0; i < 3; i++) costs.without.push(await beat());
      const rows: (readonly (string | number)[])[] = [];
      const goals: Section['goals'][number][] = [];
      const sample = sampleDevices(2_000);
      let watched = 0;
      let catching = { changed: 0, ms: 0 };
      let timers = 0;
      let unmarked = { marks: 0, isHot: 0 };
      const probe = await watchProbe(pool);
      for (const count of FILTER_COUNTS) {
        await watchFilters(pool, sample, watched, count);
        watched = count;
        tell(`${count} watched filters`);
        const began = await catchUp();
        if (count === FILTER_COUNTS[0]) {
          // Without filters on metrics, no heartbeat matters to anybody.
          await pool.query(`update live_organization set measured = '{}'`);
          await pool.query('delete from live_mark');
          const before = await readCounters(pool);
          for (let i = 0; i < 3; i++) costs.with.push(await beat());
          await pool.query('select pg_sleep(1.2)');
          const { updates, indexed } = tally(before, await readCounters(pool));
          const { rows: marks } = await pool.query<{ count: number }>('select count(*)::int from live_mark');
          unmarked = { marks: marks[0]?.count ?? 0, isHot: (1 - indexed / Math.max(updates, 1)) * 100 };
          await pool.query('update live_filter set is_interrupted = true');
          await pool.query(MARK_PARTNERS);
          await catchUp();
        }
        const { delays, reports } = await measureDelays(probe, heartbeat);
        const sorted = delays.toSorted((a, b) => a - b);
        const at = (share: number) =>
          sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
        rows.push([count, round(began / 1_000), round(reports), round(at(0.5)), round(at(0.99))]);
        goals.push({
          name: `${plan.size}: a second, over the time from commit to reader at p99, ${count} filters`,
          value: 1_000 / at(0.99),
          target: 1,
        });
        await catchUp();
        if (count === 1_000) {
          const { rowCount } = await pool.query(`update device set tags = array_append(tags, 'live-load')`);
          catching = { changed: rowCount ?? 0, ms: await catchUp() };
          await pool.query(
            `insert into live_timer (filter_id, org_id, device_id, due)
             select f.filter_id, f.org_id, d.id, now() from live_filter f join device d using (org_id)
             order by d.id, f.filter_id limit $1 on conflict (filter_id, device_id) do update set due = now()`,
            [TIMERS],
          );
          timers = TIMERS / ((await catchUp()) / 1_000);
        }
      }
      await pool.query(
        'delete from live_filter; delete from live_organization; delete from live_partner; delete from live_mark',
      );
      await pool.query(`delete from saved_filter where name like 'live bench %'`);
      await pool.query(
        `update device set tags = array_remove(array_remove(tags, 'live-load'), $1) where tags && array['live-load', $1]`,
        [PROBE_TAG],
      );
      const [without, withFilters] = [median(costs.without), median(costs.with)];
      const speed = catching.changed / (catching.ms / 1_000);
      const loadSpeed = database.loadSeconds === null ? null : plan.devices / database.loadSeconds;
      return {
        name: `Watched filters on ${plan.size} devices`,
        goals: [
          ...goals,
          {
            name: `${plan.size}: heartbeats without watched filters, share of their time with`,
            value: without / withFilters,
            target: 1 / 1.05,
          },
          {
            name: `${plan.size}: heartbeats with watched filters, HOT, %`,
            value: unmarked.isHot,
            target: 100,
          },
          {
            name: `${plan.size}: catching up with a changed fleet, share of the load's speed`,
            value: loadSpeed === null ? speed : speed / loadSpeed,
            target: loadSpeed === null ? null : 0.5,
          },
          {
            name: `${plan.size}: due timers a second, of 278 needed`,
            value: timers,
            target: 1_000_000 / 3_600,
          },
        ],
        tables: [
          {
            title: `From commit to reader, ${PROBES} probes while agents report`,
            columns: ['filters', 'begun in s', 'reports/s', 'p50 ms', 'p99 ms'],
            rows,
          },
          {
            title: 'Other figures',
            columns: ['figure', 'value'],
            rows: [
              ['heartbeat without watched filters, ms', round(without)],
              [`heartbeat with ${FILTER_COUNTS[0]}, ms`, round(withFilters)],
              ['marks of these heartbeats', unmarked.marks],
              ['devices caught up with, a second', round(speed)],
              ['due timers, a second', round(timers)],
            ],
          },
        ],
        notes: [
          'Filters are those of the part matching, spread over all organizations. A probe changes a tag of a device of the largest',
          'organization; its reader polls every 10 ms, and the worker is woken, or looks every 200 ms. Reports are heartbeats by single commits.',
        ],
        faults:
          unmarked.marks === 0 ? [] : [`${unmarked.marks} heartbeats that matter to no filter left marks`],
      };
    });
  } finally {
    await pool.end();
  }

  async function measureDelays(probe: FilterId, report: (n: number) => Promise<unknown>) {
    const seen = new Map<string, number>();
    const committed: (readonly [string, number])[] = [];
    let isOver = false;
    let reports = 0;
    const forever = async (everyMs: number, work: () => Promise<unknown>) => {
      while (!isOver) {
        await work();
        await sleep(everyMs);
      }
    };
    let cursor = (await memberships.members(SYSTEM_SCOPE, probe))?.seq ?? 0;
    const { rows } = await pool.query<{ id: string }>(
      'select id from device where org_id = $1 order by id limit $2',
      [orgIdAt(0), PROBES],
    );
    const probing = async () => {
      for (const { id } of rows) {
        await pool.query(
          `update device set tags = case when tags @> array[$2] then array_remove(tags, $2)
             else array_append(tags, $2) end where id = $1`,
          [id, PROBE_TAG],
        );
        committed.push([id, performance.now()]);
        await sleep((REPORT_SECONDS * 1_000) / PROBES);
      }
    };
    const reporting = async () => {
      const startedAt = performance.now();
      await Promise.all(
        Array.from({ length: CONNECTIONS - 2 }, () =>
          forever(0, async () => {
            const due = ((performance.now() - startedAt) / 1_000) * REPORTS_A_SECOND;
            if (reports < due) await report(reports++);
            else await sleep(2);
          }),
        ),
      );
    };
    const reading = async () => {
      const page = await memberships.changes(SYSTEM_SCOPE, probe, cursor, 1_000);
      if (page === null || page === 'expired') throw new Error('the probe is watched');
      for (const change of page.changes) {
        cursor = change.seq;
        if ('deviceId' in change) seen.set(change.deviceId, performance.now());
      }
    };
    const worker = startWorker({ jobs: [job], intervalMs: 200, log: SILENT });
    const background = [reporting(), forever(10, reading)];
    await probing();
    for (let i = 0; i < 1_000 && seen.size < rows.length; i++) await sleep(10);
    isOver = true;
    await Promise.all(background);
    await worker.stop(10_000);
    const delays = committed.map(([id, at]) => (seen.get(id) ?? Infinity) - at);
    return { delays, reports: reports / REPORT_SECONDS };
  }
}

const nothing = () => undefined;
const SILENT: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

/** The filters of all partners are read again. */
const MARK_PARTNERS = `
  insert into live_mark (partner_id, kind) select id, 'changed' from partner`;

/** A filter on the tag that probes change. */
async function watchProbe(pool: Pool): Promise<FilterId> {
  const conditions = JSON.stringify({
    operator: 'AND',
    conditions: [{ field: 'tags', operator: 'contains', value: PROBE_TAG }],
  });
  return insertFilters(pool, [{ name: 'live bench probe', orgId: orgIdAt(0), conditions }]);
}

async function watchFilters(
  pool: Pool,
  sample: ReturnType<typeof sampleDevices>,
  from: number,
  until: number,
): Promise<void> {
  await insertFilters(
    pool,
    Array.from({ length: until - from }, (_, i) => ({
      name: `live bench ${from + i}`,
      orgId: orgIdAt((from + i) % ORGANIZATION_COUNT),
      conditions: JSON.stringify(drawFilter(from + i, sample)),
    })),
  );
}

interface NewFilter {
  readonly name: string;
  readonly orgId: string;
  readonly conditions: string;
}

/** As the owner, because thousands of them are watched one by one otherwise. Returns the first one's id. */
async function insertFilters(pool: Pool, filters: readonly NewFilter[]): Promise<FilterId> {
  const { rows } = await pool.query<{ id: FilterId }>(
    `with added as (
       insert into saved_filter (id, org_id, name, conditions, created_by, created_at, updated_at, version)
       select gen_random_uuid(), org_id, name, conditions, gen_random_uuid(), now(), now(), 1
       from unnest($1::uuid[], $2::text[], $3::text[]) f(org_id, name, conditions) returning id, org_id
     ), organizations as (
       insert into live_organization (org_id) select distinct org_id from added on conflict do nothing
     ), feeds as (
       insert into live_filter (filter_id, org_id) select id, org_id from added
     ), marks as (
       insert into live_mark (partner_id, kind) select distinct g.partner_id, 'changed'::mark_kind
       from added join organization g on g.id = added.org_id
     ) select id from added`,
    [
      filters.map(({ orgId }) => orgId),
      filters.map(({ name }) => name),
      filters.map(({ conditions }) => conditions),
    ],
  );
  const [first] = rows;
  if (first === undefined) throw new Error('no filter was added');
  return first.id;
}
