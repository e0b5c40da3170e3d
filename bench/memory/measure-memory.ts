/**
 * Memory of the service at rest, and while an hour's requests come within five minutes. Caches fill in the first
 * minute; after that, memory should stay flat.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FleetDatabase } from '../fleet/fleet-database.ts';
import type { FleetPlan } from '../fleet/fleet-plan.ts';
import { sampleDevices } from '../matching/sample-devices.ts';
import { tell } from '../report/bench-progress.ts';
import { round, type Section } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import { REQUESTS_PER_HOUR, requestOfHour } from './office-hour.ts';

const MINUTES = 5;
const MINUTE_MS = 60_000;
const SAMPLE_EVERY_MS = 1_000;

const CLIENTS = 16;

/** After this time without requests it is at rest. */
const REST_MS = 15_000;

/** Memory in the second minute as a share of that in the last; from here on it counts as flat. */
const FLAT = 0.9;

/** A busy service refuses with these. */
const REFUSALS: ReadonlySet<number> = new Set([422, 429]);

const MIB = 1_048_576;

export async function measureMemory(database: FleetDatabase, { size }: FleetPlan): Promise<Section> {
  tell(`memory on ${size}, for ${MINUTES} minutes`);
  const service = fork(join(import.meta.dirname, 'memory-service-process.ts'), [database.url], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const [url] = (await once(service, 'message')) as [string];
    await setTimeout(REST_MS);
    const atRest = await readMiB(service);
    const { minutes, outcome } = await underLoad(service, url);
    await setTimeout(REST_MS);
    const afterwards = await readMiB(service);
    return toSection(size, { atRest, minutes, afterwards, ...outcome });
  } finally {
    service.disconnect();
    await once(service, 'exit');
  }
}

interface Outcome {
  readonly answered: number;
  /** Counts statuses other than 200. */
  readonly refused: ReadonlyMap<number, number>;
}

/** In MiB for each minute, with a sample each second. */
async function underLoad(service: ChildProcess, url: string) {
  const startedAt = performance.now();
  const minutes: number[][] = Array.from({ length: MINUTES }, () => []);
  const asking = askForAnHour(url, startedAt);
  for (;;) {
    await setTimeout(SAMPLE_EVERY_MS);
    const minute = minutes[Math.floor((performance.now() - startedAt) / MINUTE_MS)];
    if (minute === undefined) return { minutes, outcome: await asking };
    minute.push(await readMiB(service));
  }
}

/** Each request is sent on time, or when a client is free. */
async function askForAnHour(url: string, startedAt: number): Promise<Outcome> {
  const sample = sampleDevices(100);
  const spacingMs = (MINUTES * MINUTE_MS) / REQUESTS_PER_HOUR;
  const refused = new Map<number, number>();
  let next = 0;
  let answered = 0;
  const client = async () => {
    while (next < REQUESTS_PER_HOUR && performance.now() - startedAt < MINUTES * MINUTE_MS) {
      const n = next++;
      const early = startedAt + n * spacingMs - performance.now();
      if (early > 0) await setTimeout(early);
      const { path, init } = requestOfHour(n, sample);
      const response = await fetch(`${url}${path}`, init);
      await response.arrayBuffer();
      if (response.ok) answered++;
      else refused.set(response.status, (refused.get(response.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { answered, refused };
}

async function readMiB(service: ChildProcess): Promise<number> {
  const answer = once(service, 'message');
  service.send('memory');
  const [bytes] = (await answer) as [number];
  return bytes / MIB;
}

interface Measured extends Outcome {
  readonly atRest: number;
  readonly minutes: readonly (readonly number[])[];
  readonly afterwards: number;
}

function toSection(size: string, { atRest, minutes, afterwards, answered, refused }: Measured): Section {
  const middle = minutes.map((samples) => median(samples));
  const statuses = Array.from(refused, ([status, count]) => ({
    status,
    says: `${count} requests were answered with ${status}`,
  }));
  const of = (isRefusal: boolean) =>
    statuses.filter(({ status }) => REFUSALS.has(status) === isRefusal).map(({ says }) => says);
  return {
    name: `Memory on ${size} devices`,
    goals: [
      {
        name: `${size}: memory in the second minute of the load/in the last`,
        value: (middle[1] ?? 0) / (middle.at(-1) ?? 1),
        target: FLAT,
      },
    ],
    tables: [
      {
        title: 'resident memory of the service, MiB',
        columns: ['when', 'median', 'most'],
        rows: [
          ['at rest', round(atRest), ''],
          ...minutes.map((samples, minute) => [
            `minute ${minute + 1}`,
            round(middle[minute] ?? 0),
            round(Math.max(...samples)),
          ]),
          ['at rest again', round(afterwards), ''],
        ],
      },
    ],
    notes: [
      `${answered.toLocaleString('en')} of ${REQUESTS_PER_HOUR.toLocaleString('en')} requests of an hour were answered within ${MINUTES} minutes, over ${CLIENTS} connections.`,
      `Previews, searches, pages and exports of one tenant and of the platform. At rest: ${REST_MS / 1_000} s without a request.`,
      ...of(true),
    ],
    faults: of(false),
  };
}
