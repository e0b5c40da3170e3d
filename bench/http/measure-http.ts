/**
 * Previews over HTTP with API key and audit, against two floors: a handler that does `select 1`, and one that also
 * commits a row. Servers, client and database are separate processes.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import { API_KEYS, FLEET_NOW, type FleetPlan, SCOPES } from '../fleet/fleet-plan.ts';
import { PREVIEW_FILTERS } from '../reads/preview-filters.ts';
import { tell } from '../report/bench-progress.ts';
import { type CpuTime, findProcesses, type MeasuredProcesses, readCpuTime } from '../report/cpu-time.ts';
import { round, type Section } from '../report/report.ts';
import { geometricMean, median } from '../report/statistics.ts';
import { createLines, dropLines } from './grouped-inserts.ts';
import { type LoadOrder, type LoadResult, startHttpClient } from './http-load.ts';

/** The servers of `http-service-process.ts`. */
export interface ServedUrls {
  readonly service: string;
  readonly withoutAudit: string;
  readonly floor: string;
  readonly durableFloor: string;
}

const CONNECTIONS = [1, 16, 64] as const;

const SLOT_MS = 1_500;
const WARM_UP_MS = 700;
const ROUNDS = 5;

interface Candidate {
  readonly name: string;
  readonly order: Omit<LoadOrder, 'connections' | 'durationMs'>;
}

/** CPU time is in microseconds for each request; null if unknown. */
interface Measured extends LoadResult {
  readonly cpuUs: CpuTime | null;
}

export async function measureHttp(database: FleetDatabase, plan: FleetPlan): Promise<Section> {
  tell(`HTTP on ${plan.size}`);
  await createLines(database.url);
  const servers = fork(join(import.meta.dirname, 'http-service-process.ts'), [database.url], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const client = startHttpClient();
  try {
    const [urls] = (await once(servers, 'message')) as [ServedUrls];
    const candidates = toCandidates(urls);
    const processes = await findProcesses(servers.pid ?? 0, database.url);
    const auditedBefore = await countAudited(database.url);
    let asked = 0;
    const results = new Map<string, Map<number, Measured[]>>(candidates.map(({ name }) => [name, new Map()]));
    for (let round = -1; round < ROUNDS; round++) {
      for (const connections of CONNECTIONS) {
        for (const { name, order } of candidates) {
          const durationMs = round < 0 ? WARM_UP_MS : SLOT_MS;
          const result = await withCpuTime(processes, () =>
            client.run({ ...order, connections, durationMs }),
          );
          if (name.startsWith(AUDITED)) asked += result.requests;
          if (round < 0) continue;
          const ofName = results.get(name);
          ofName?.set(connections, [...(ofName.get(connections) ?? []), result]);
        }
      }
    }
    const audited = (await countAudited(database.url)) - auditedBefore;
    const faults = await checkTotals(database, results);
    if (audited !== asked) faults.push(`${asked} previews were answered and ${audited} are in the audit log`);
    return toSection(results, plan, await describeDurability(database.url), faults);
  } finally {
    client.close();
    servers.disconnect();
    await once(servers, 'exit');
    await dropLines(database.url);
  }
}

async function withCpuTime(
  processes: MeasuredProcesses | null,
  load: () => Promise<LoadResult>,
): Promise<Measured> {
  if (processes === null) return { ...(await load()), cpuUs: null };
  const before = await readCpuTime(processes);
  const result = await load();
  const after = await readCpuTime(processes);
  const perRequest = (name: keyof CpuTime) => ((after[name] - before[name]) * 1e6) / result.requests;
  return { ...result, cpuUs: { service: perRequest('service'), postgres: perRequest('postgres') } };
}

export const PREVIEWS = [
  { label: 'status, small organization', filter: 'status is offline', scope: 'small' },
  { label: 'contains rare, all', filter: 'hostname contains 7f3a (rare)', scope: 'all' },
] as const;

const FLOOR = 'select 1';
const DURABLE_FLOOR = 'select 1 and a line on disk';
const AUDITED = 'preview: ';
const UNAUDITED = 'without audit: ';

function toCandidates(urls: ServedUrls): readonly Candidate[] {
  const previews = (prefix: string, url: string) =>
    PREVIEWS.map(
      (preview): Candidate => ({ name: `${prefix}${preview.label}`, order: previewOrder(preview, url) }),
    );
  return [
    { name: FLOOR, order: floorOrder(urls.floor) },
    { name: DURABLE_FLOOR, order: floorOrder(urls.durableFloor) },
    ...previews(AUDITED, urls.service),
    ...previews(UNAUDITED, urls.withoutAudit),
  ];
}

/** Repeats one preview at the service with this URL. */
export function previewOrder({ filter, scope }: (typeof PREVIEWS)[number], url: string): Candidate['order'] {
  return {
    url,
    method: 'POST',
    path: '/api/v1/filters/preview',
    headers: { 'X-API-Key': API_KEYS[scope], 'Content-Type': 'application/json' },
    body: JSON.stringify({ conditions: findFilter(filter).conditions, limit: 10 }),
  };
}

export function floorOrder(url: string): Candidate['order'] {
  return { url, method: 'GET', path: '/', headers: {}, body: null };
}

type Results = ReadonlyMap<string, ReadonlyMap<number, readonly Measured[]>>;

/** HTTP and the library must find the same. */
async function checkTotals({ service }: FleetDatabase, results: Results): Promise<string[]> {
  const faults: string[] = [];
  for (const { label, filter, scope } of PREVIEWS) {
    const expected = await service.backend.matcher.preview(
      { filter: findFilter(filter).filter, scope: SCOPES[scope], at: FLEET_NOW, onBehalfOf: 'bench' },
      10,
    );
    if (!expected.ok) throw new Error(`a preview was refused: ${expected.error.kind}`);
    for (const { sample } of results.get(`${AUDITED}${label}`)?.get(1) ?? []) {
      const { totalCount } = (JSON.parse(sample) as { data: { totalCount: number } }).data;
      if (totalCount !== expected.value.totalCount) {
        faults.push(`${label}: ${totalCount} over HTTP, ${expected.value.totalCount} through the library`);
      }
    }
  }
  return faults;
}

function findFilter(name: string) {
  const filter = PREVIEW_FILTERS.find((one) => one.name === name);
  if (filter === undefined) throw new Error(`there is no filter ${name}`);
  return filter;
}

/** By floor and connections. Other figures only inform. */
const TARGETS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  [FLOOR]: { 16: 0.3, 64: 0.45 },
  [DURABLE_FLOOR]: { 64: 0.7 },
};

function toSection(results: Results, { size }: FleetPlan, durability: string, faults: string[]): Section {
  const of = (name: string, connections: number) => results.get(name)?.get(connections) ?? [];
  const rate = ({ requests, seconds }: LoadResult) => requests / seconds;
  /** The median over all rounds of the share of the floor in the same round. */
  const shareOf = (floorName: string, name: string, connections: number) => {
    const floor = of(floorName, connections);
    return median(of(name, connections).map((result, i) => rate(result) / rate(floor[i] as LoadResult)));
  };
  const cpu = (name: string, connections: number, process: keyof CpuTime) => {
    const known = of(name, connections).flatMap(({ cpuUs }) => cpuUs?.[process] ?? []);
    return known.length === 0 ? '' : round(median(known));
  };
  return {
    name: `HTTP, previews of ${size} devices with API key, audit and request log`,
    goals: CONNECTIONS.flatMap((connections) =>
      [FLOOR, DURABLE_FLOOR].map((floor) => ({
        name: `${size}: selective previews' share of the floor "${floor}", ${connections} connections`,
        value: geometricMean(PREVIEWS.map(({ label }) => shareOf(floor, `${AUDITED}${label}`, connections))),
        target: TARGETS[floor]?.[connections] ?? null,
      })),
    ),
    tables: CONNECTIONS.map((connections) => ({
      title: `${connections} connections, medians of ${ROUNDS} rounds`,
      columns: [
        '',
        'requests/s',
        'p50 ms',
        'p99 ms',
        'share of select 1',
        'and of a line on disk',
        'Node CPU µs',
        'PostgreSQL CPU µs',
      ],
      rows: [...results.keys()].map((name) => [
        name,
        round(median(of(name, connections).map(rate))),
        round(median(of(name, connections).map(({ p50Ms }) => p50Ms))),
        round(median(of(name, connections).map(({ p99Ms }) => p99Ms))),
        round(shareOf(FLOOR, name, connections)),
        round(shareOf(DURABLE_FLOOR, name, connections)),
        cpu(name, connections, 'service'),
        cpu(name, connections, 'postgres'),
      ]),
    })),
    notes: [
      `Real sockets on loopback, kept alive; one API key per scope. ${durability}`,
      'All candidates take turns within each round. The floors are Hono and pg with as many connections, doing select 1; of those on disk, one connection commits the lines of all requests that came meanwhile.',
      'CPU is per request, of the process that serves and of all of the database.',
    ],
    faults,
  };
}

async function countAudited(url: string): Promise<number> {
  const [row] = await query<{ count: number }>(url, 'select count(*)::float8 as count from audit_log');
  return row?.count ?? 0;
}

async function describeDurability(url: string): Promise<string> {
  const [row] = await query<{ fsync: string; commit: string }>(
    url,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`,
  );
  return `Commits of the audit log: fsync ${row?.fsync}, synchronous_commit ${row?.commit}.`;
}

async function query<R extends object>(url: string, text: string): Promise<readonly R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}
