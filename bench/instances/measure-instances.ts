/**
 * One to three instances on one database, each with its own client process, against as many processes of the floor: a
 * handler that does `select 1`. The result depends on the number of cores.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import type { FleetPlan } from '../fleet/fleet-plan.ts';
import { type HttpClient, type LoadOrder, startHttpClient } from '../http/http-load.ts';
import { floorOrder, PREVIEWS, previewOrder } from '../http/measure-http.ts';
import { tell } from '../report/bench-progress.ts';
import { round, type Section } from '../report/report.ts';
import { geometricMean, median } from '../report/statistics.ts';

/** The servers of `instance-process.ts`. */
export interface InstanceUrls {
  readonly service: string;
  readonly floor: string;
}

interface Instance {
  readonly child: ChildProcess;
  readonly urls: InstanceUrls;
  readonly client: HttpClient;
}

const COUNTS = [1, 2, 3] as const;

/** The total, for any number of instances. */
const CONNECTIONS = 48;

/** For each instance. Three fit a PostgreSQL with a hundred connections. */
const DATABASE_CONNECTIONS = 25;

const SLOT_MS = 1_500;
const ROUNDS = 5;

/** The sum of all instances, and the median of the slowest. */
interface Throughput {
  readonly perSecond: number;
  readonly p50Ms: number;
}

const FLOOR = 'select 1';

const CANDIDATES: readonly {
  readonly name: string;
  readonly orderFor: (urls: InstanceUrls) => Omit<LoadOrder, 'connections' | 'durationMs'>;
}[] = [
  { name: FLOOR, orderFor: ({ floor }) => floorOrder(floor) },
  ...PREVIEWS.map((preview) => ({
    name: `preview: ${preview.label}`,
    orderFor: ({ service }: InstanceUrls) => previewOrder(preview, service),
  })),
];

export async function measureInstances({ url }: FleetDatabase, plan: FleetPlan): Promise<Section> {
  tell(`instances on ${plan.size}`);
  const instances: Instance[] = [];
  try {
    for (const _ of COUNTS) instances.push(await startInstance(url));
    const results = new Map<string, Throughput[]>();
    for (let round = -1; round < ROUNDS; round++) {
      for (const count of COUNTS) {
        for (const { name, orderFor } of CANDIDATES) {
          const durationMs = round < 0 ? 700 : SLOT_MS;
          const throughput = await loadTogether(instances.slice(0, count), orderFor, durationMs);
          const key = keyOf(name, count);
          if (round >= 0) results.set(key, [...(results.get(key) ?? []), throughput]);
        }
      }
    }
    return toSection(results, plan);
  } finally {
    for (const { child, client } of instances) {
      client.close();
      child.disconnect();
      await once(child, 'exit');
    }
  }
}

async function startInstance(url: string): Promise<Instance> {
  const program = join(import.meta.dirname, 'instance-process.ts');
  const child = fork(program, [url, String(DATABASE_CONNECTIONS)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [urls] = (await once(child, 'message')) as [InstanceUrls];
  return { child, urls, client: startHttpClient() };
}

async function loadTogether(
  instances: readonly Instance[],
  orderFor: (typeof CANDIDATES)[number]['orderFor'],
  durationMs: number,
): Promise<Throughput> {
  const connections = CONNECTIONS / instances.length;
  const outcomes = await Promise.all(
    instances.map(({ client, urls }) => client.run({ ...orderFor(urls), connections, durationMs })),
  );
  return {
    perSecond: outcomes.reduce((sum, { requests, seconds }) => sum + requests / seconds, 0),
    p50Ms: Math.max(...outcomes.map(({ p50Ms }) => p50Ms)),
  };
}

const keyOf = (name: string, count: number) => `${count} × ${name}`;

function toSection(results: ReadonlyMap<string, readonly Throughput[]>, { size }: FleetPlan): Section {
  const of = (name: string, count: number) => results.get(keyOf(name, count)) ?? [];
  /** The median of the ratios within each round. */
  const ratio = (measured: readonly Throughput[], against: readonly Throughput[]) =>
    median(measured.map(({ perSecond }, i) => perSecond / (against[i] as Throughput).perSecond));
  const shareOfFloor = (name: string, count: number) => ratio(of(name, count), of(FLOOR, count));
  const previews = CANDIDATES.map(({ name }) => name).filter((name) => name !== FLOOR);
  return {
    name: `Instances, previews of ${size} devices with API key, audit and request log`,
    goals: COUNTS.map((count) => ({
      name: `${size}: share of the equally many-fold floor, instances: ${count}`,
      value: geometricMean(previews.map((name) => shareOfFloor(name, count))),
      target: null,
    })),
    tables: COUNTS.map((count) => ({
      title: `Instances: ${count}, medians of ${ROUNDS} rounds`,
      columns: ['', 'requests/s', 'p50 ms', 'share of the floor', 'times one instance'],
      rows: CANDIDATES.map(({ name }) => [
        name,
        round(median(of(name, count).map(({ perSecond }) => perSecond))),
        round(median(of(name, count).map(({ p50Ms }) => p50Ms))),
        round(shareOfFloor(name, count)),
        round(ratio(of(name, count), of(name, 1))),
      ]),
    })),
    notes: [
      `${CONNECTIONS} connections in all, over loopback, kept alive; an instance has ${DATABASE_CONNECTIONS} to the database.`,
      'Servers, their clients and the database share the machine.',
    ],
    faults: [],
  };
}
