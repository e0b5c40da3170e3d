/** Observes and kills the server of a data directory. */
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

/** Everybody may enter it. It is removed after the test, with its server. */
export async function makeTemporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'fleetsift-test-'));
  await chmod(directory, 0o755);
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return directory;
}

/** A copy of a cluster made before, because making one takes many times as long as a start. Files keep their owners. */
export async function makeStoppedCluster(): Promise<string> {
  const dataDir = join(await makeTemporaryDirectory(), 'data');
  template ??= makeTemplate();
  await promisify(execFile)('cp', ['-a', await template, dataDir]);
  return dataDir;
}

/** Made once per process, whose id names it among the templates. */
let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const dataDir = join(inject('templateDirectory'), String(process.pid));
  await (await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })).stop();
  // Each copy then chooses its port.
  await rm(join(dataDir, 'postgres.port'));
  return dataDir;
}

/** Until the end of the test. Without fsync unless asked, because no test cuts the power. */
export async function startServer(
  dataDir: string,
  onProgress: (message: string) => void = () => {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, onProgress, settings: { fsync: 'off' } });
  onTestFinished(() => server.stop());
  return server;
}

export async function serverPid(dataDir: string): Promise<number> {
  return Number((await readFile(lockFile(dataDir), 'utf8')).split('\n')[0]);
}

export function lockFile(dataDir: string): string {
  return join(dataDir, 'postgres', 'postmaster.pid');
}

export async function clusterName(dataDir: string): Promise<string> {
  const { dev, ino } = await stat(join(dataDir, 'postgres'), { bigint: true });
  return `fleetsift-${dev}-${ino}`;
}

/** Parent and children, found by the cluster name that all carry. */
export async function serverProcesses(dataDir: string): Promise<readonly number[]> {
  const name = await clusterName(dataDir);
  return await findProcesses((command) => command.includes(name));
}

/** Like `kill -9` of all at once. Children may already have ended with their parent. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** On a new connection. */
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
