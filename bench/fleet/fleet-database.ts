/**
 * An embedded PostgreSQL, or the empty database of BENCH_DATABASE_URL. The service's own writer loads the fleet. Later
 * runs use it again until schema, writer or generator change.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { Client, escapeLiteral } from 'pg';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { type Composition, compose } from '../../src/main.ts';
import { startProgress } from '../report/bench-progress.ts';
import type { FleetPlan } from './fleet-plan.ts';
import { fleetRecords } from './fleet-records.ts';

export interface FleetDatabase {
  readonly url: string;
  /** Without its log. */
  readonly service: Composition;
  /** Null if the fleet was there already. */
  readonly loadSeconds: number | null;
  /** For work that changes devices. After an interruption, the next run loads the fleet again. */
  whileDirty<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const DATA_DIR = join(import.meta.dirname, '..', 'results', 'data');

/** As shipped, without the log. */
export const SERVICE_CONFIG = {
  migrate: true,
  filterTimeoutMs: 60_000,
  trustedProxies: [],
  logLevel: 'silent',
} as const;

/** Loads the fleet if necessary. Rejects if the database of BENCH_DATABASE_URL has anything else. */
export async function openFleetDatabase(plan: FleetPlan): Promise<FleetDatabase> {
  const mark = `fleetsift bench ${plan.size} ${await digestOfFleet()}`;
  const url = process.env.BENCH_DATABASE_URL;
  const server = url ? { url, stop: async () => undefined } : await startServer(plan, mark);
  const service = await compose({ ...SERVICE_CONFIG, databaseUrl: server.url });
  const owner = new Client({ connectionString: server.url });
  await owner.connect();
  const close = async () => {
    await owner.end();
    await service.close();
    await server.stop();
  };
  try {
    const loadSeconds = await ensureFleet(owner, service, plan, mark);
    return {
      url: server.url,
      service,
      loadSeconds,
      whileDirty: async (work) => {
        await writeMark(owner, `${mark} (dirty)`);
        const result = await work();
        await owner.query('vacuum (analyze) device, device_state');
        await writeMark(owner, mark);
        return result;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Deletes the data of another fleet. */
async function startServer(plan: FleetPlan, mark: string) {
  const dataDir = join(DATA_DIR, plan.size);
  const start = () => startEmbeddedPostgres({ dataDir, settings: serverSettings() });
  const embedded = await start();
  if (embedded.isNew || (await readMarkAt(embedded.url)) === mark) return embedded;
  await embedded.stop();
  await rm(dataDir, { recursive: true });
  return start();
}

/** Memory for a dedicated server. Durability keeps PostgreSQL's defaults. */
function serverSettings(): Readonly<Record<string, string>> {
  const gibibytes = Math.floor(totalmem() / 2 ** 30);
  return {
    shared_buffers: `${Math.max(256, Math.min(4, gibibytes / 4) * 1024)}MB`,
    effective_cache_size: `${Math.max(1, Math.floor(gibibytes / 2))}GB`,
    maintenance_work_mem: '512MB',
    max_wal_size: '8GB',
    random_page_cost: '1.1',
  };
}

async function ensureFleet(
  owner: Client,
  service: Composition,
  plan: FleetPlan,
  mark: string,
): Promise<number | null> {
  if ((await readMark(owner)) === mark) return null;
  const { rows } = await owner.query('select 1 from partner limit 1');
  if (rows.length > 0) {
    throw new Error('the database in BENCH_DATABASE_URL is not empty; name an empty one');
  }
  const progress = startProgress(`loading ${plan.devices.toLocaleString('en')} devices`);
  const startedAt = performance.now();
  const loaded = await service.backend.fleetWriter(fleetRecords(plan), progress);
  if (!loaded.ok) throw new Error(`the fleet was refused: ${JSON.stringify(loaded.error[0])}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  await writeMark(owner, mark);
  return seconds;
}

async function readMarkAt(url: string): Promise<string | null> {
  const owner = new Client({ connectionString: url });
  await owner.connect();
  try {
    return await readMark(owner);
  } finally {
    await owner.end();
  }
}

async function readMark(owner: Client): Promise<string | null> {
  const { rows } = await owner.query<{ mark: string | null }>(
    `select obj_description('public'::regnamespace, 'pg_namespace') as mark`,
  );
  return rows[0]?.mark ?? null;
}

async function writeMark(owner: Client, mark: string): Promise<void> {
  await owner.query(`comment on schema public is ${escapeLiteral(mark)}`);
}

/** Changes with the schema, the fleet writer and the generator. */
async function digestOfFleet(): Promise<string> {
  const postgres = join(import.meta.dirname, '..', '..', 'src', 'adapters', 'postgres');
  const files = [
    ...(await filesIn(join(postgres, 'schema'))),
    ...(await filesIn(join(postgres, 'bulk'))),
    ...['fleet-id', 'fleet-plan', 'fleet-device', 'fleet-records', 'fleet-script', 'software-catalog'].map(
      (name) => join(import.meta.dirname, `${name}.ts`),
    ),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

async function filesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
