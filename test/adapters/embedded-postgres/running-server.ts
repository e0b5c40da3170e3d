/** What a test can find out about, and do to, the server of a data directory. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { inject, onTestFinished } from 'vitest';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#adapters/embedded-postgres/embedded-postgres.ts';
import { findProcesses } from '#adapters/embedded-postgres/server/process-table.ts';

/** A directory that everybody may enter, removed when the test is over with whatever server runs in it. */
export async function makeTemporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'fleetsift-test-'));
  await chmod(directory, 0o755);
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return directory;
}

/**
 * The data directory of a cluster that was made and stopped before, for a test to which the making is not the point:
 * it takes many times as long as a start. Everything in it belongs to whom it belonged to.
 */
export async function makeStoppedCluster(): Promise<string> {
  const dataDir = join(await makeTemporaryDirectory(), 'data');
  template ??= makeTemplate();
  await promisify(execFile)('cp', ['-a', await template, dataDir]);
  return dataDir;
}

/** Made once for a process, in whose name it lies among the templates of the run. */
let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const dataDir = join(inject('templateDirectory'), String(process.pid));
  await (await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })).stop();
  // Each copy finds a port of its own.
  await rm(join(dataDir, 'postgres.port'));
  return dataDir;
}

/** Uses the server of a data directory until the test is over. Durable as asked: no test cuts the power. */
export async function startServer(
  dataDir: string,
  onProgress: (message: string) => void = () => {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, onProgress, settings: { fsync: 'off' } });
  onTestFinished(() => server.stop());
  return server;
}

/** The process id in the server's lock file. */
export async function serverPid(dataDir: string): Promise<number> {
  return Number((await readFile(lockFile(dataDir), 'utf8')).split('\n')[0]);
}

/** The lock file of PostgreSQL, which names the running server. */
export function lockFile(dataDir: string): string {
  return join(dataDir, 'postgres', 'postmaster.pid');
}

/** The name of the cluster in the command lines of its processes. */
export async function clusterName(dataDir: string): Promise<string> {
  const { dev, ino } = await stat(join(dataDir, 'postgres'), { bigint: true });
  return `fleetsift-${dev}-${ino}`;
}

/** The ids of the server's processes, parent and children alike, found by the name that they all carry. */
export async function serverProcesses(dataDir: string): Promise<readonly number[]> {
  const name = await clusterName(dataDir);
  return await findProcesses((command) => command.includes(name));
}

/** As `kill -9` of all of them at once: those that end with their parent are gone when it is their turn. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Runs one statement on a connection of its own and gives its rows. */
export async function query(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
