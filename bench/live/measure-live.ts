/**
 * Watched filters on the loaded fleet: from a commit to its change at a reader while agents report, what a heartbeat
 * costs, and how fast evaluations catch up with changes of the whole fleet and with timers.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { startWorker } from '#adapters/system/worker.ts';
import { makeEvaluateMemberships } from '#application/live/evaluate-memberships.ts';
import { makeMembershipsJob } from '#application/live/membership-jobs.ts';
import type { Log } from '#application/ports/log.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { FilterId } from '#domain/ids.ts';
import { readLoadFile } from '../../src/main.ts';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import { fleetId } from '../fleet/fleet-id.ts';
import { type FleetPlan, orgIdAt } from '../fleet/fleet-plan.ts';
import { writeFleetFile } from '../loading/fleet-file.ts';
import { sampleDevices } from '../matching/sample-devices.ts';
import { tell } from '../report/bench-progress.ts';
import { round, type Section } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import { readCounters, tally } from '../report/update-counters.ts';
import { PROBE_TAG, watchFilters, watchProbe } from './watch-filters.ts';

const FILTER_COUNTS = [100, 1_000, 10_000] as const;
const REPORTS_A_SECOND = 500;
/** With fewer, the service was not under the load that its delays are measured under. */
const FEWEST_REPORTS = 450;
const REPORT_SECONDS = 20;
const PROBES = 60;
const HEARTBEATS = 4_000;
const TIMERS = 50_000;

/** Agents that report at once. */
const CONNECTIONS = 8;

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
      let catching = { loadMs: 0, ms: 0 };
      let timers = 0;
      let unmarked = { marks: 0, isHot: 0 };
      const faults: string[] = [];
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
          if (unmarked.marks > 0)
            faults.push(`${unmarked.marks} heartbeats that matter to no filter left marks`);
          await pool.query('update live_filter set is_interrupted = true');
          await pool.query(MARK_PARTNERS);
          await catchUp();
        }
        const { delays, reports } = await measureDelays(probe, heartbeat);
        if (reports < FEWEST_REPORTS)
          faults.push(
            `only ${round(reports)} of ${REPORTS_A_SECOND} reports a second were sent with ${count} filters, so the delays prove nothing`,
          );
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
          catching = { loadMs: await loadFleet(), ms: await catchUp() };
          await pool.query('analyze');
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
      const perSecond = (ms: number) => plan.devices / (ms / 1_000);
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
            name: `${plan.size}: catching up with a load of the fleet, share of the load's speed`,
            value: catching.loadMs / catching.ms,
            target: 0.5,
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
              ['devices loaded, a second', round(perSecond(catching.loadMs))],
              ['devices caught up with after the load, a second', round(perSecond(catching.ms))],
              ['due timers, a second', round(timers)],
            ],
          },
        ],
        notes: [
          'Filters are those of the part matching, spread over all organizations. A probe changes a tag of a device of the largest',
          'organization; its reader polls every 10 ms, and the worker is woken, or looks every 200 ms. Reports are heartbeats by single commits.',
        ],
        faults,
      };
    });
  } finally {
    await pool.end();
  }

  /** Every device with another tag, from a load file. */
  async function loadFleet(): Promise<number> {
    const directory = await mkdtemp(join(tmpdir(), 'fleetsift-bench-'));
    try {
      const path = join(directory, 'fleet.ndjson');
      const lastSeenAt = Date.now();
      await writeFleetFile(plan, path, (record) =>
        record.kind === 'device' ? { ...record, lastSeenAt, tags: [...record.tags, 'live-load'] } : record,
      );
      tell('loading the fleet again');
      const startedAt = performance.now();
      const loaded = await backend.fleetWriter(readLoadFile(path));
      if (!loaded.ok) throw new Error(`the fleet was refused: ${JSON.stringify(loaded.error[0])}`);
      return performance.now() - startedAt;
    } finally {
      await rm(directory, { recursive: true });
    }
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
