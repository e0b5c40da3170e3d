import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readDataFile } from '#adapters/embedded-postgres/files/data-dir.ts';
import { findProcesses, processExists, readCommand, sendSignal } from './process-table.ts';

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly clusterName: string;
}

const POLL_MS = 20;

const STOP_SIGNALS: readonly { readonly signal: NodeJS.Signals; readonly patienceMs: number }[] = [
  { signal: 'SIGINT', patienceMs: 10_000 },
  // Immediate shutdown: the next start recovers.
  { signal: 'SIGQUIT', patienceMs: 10_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
];

/**
 * The `cluster_name`, unique on this machine even for copied or restored clusters. PostgreSQL shows it in the command
 * line of every child.
 */
export async function clusterNameOf(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `fleetsift-${dev}-${ino}`;
}

/**
 * Finds the running server. Stops a server without a lock file, whose starter was killed, and removes
 * unusable lock files. Keeps a dead server's lock file, because PostgreSQL needs it to find that server's
 * shared memory. Requires the start mutex.
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = join(cluster, 'postmaster.pid');
  const content = await readDataFile(file);
  const clusterName = await clusterNameOf(cluster).catch(() => undefined);
  if (clusterName === undefined) {
    return undefined;
  }
  const recorded = content === undefined ? undefined : parseLockFile(content, clusterName);
  if (recorded !== undefined && (await isRunning(recorded))) {
    return recorded;
  }
  for (const pid of await findProcesses((command) => isServerOf(clusterName, command))) {
    await stopPostmaster({ pid, port: 0, clusterName });
  }
  if (recorded === undefined || processExists(recorded.pid)) {
    await endOrphans(clusterName);
    await rm(file, { force: true });
  }
  return undefined;
}

export async function isRunning({ pid, clusterName }: Postmaster): Promise<boolean> {
  const command = await readCommand(pid);
  return command !== undefined && isServerOf(clusterName, command);
}

export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  for (const { signal, patienceMs } of STOP_SIGNALS) {
    if (await isRunning(postmaster)) {
      sendSignal(postmaster.pid, signal);
    }
    if (await waitUntilGone(postmaster, patienceMs)) {
      if (signal === 'SIGKILL') {
        await endOrphans(postmaster.clusterName);
      }
      return;
    }
  }
  throw new Error(`The database server (process ${postmaster.pid}) cannot be stopped, not even by SIGKILL`);
}

/** Ends children of a dead server. A child in a long query would notice late, and prevent a start until then. */
export async function endOrphans(clusterName: string): Promise<void> {
  for (const pid of await findProcesses((command) => command.startsWith(`postgres: ${clusterName}: `))) {
    sendSignal(pid, 'SIGQUIT');
  }
}

/** The lines are process id, data directory, start time, port, and others. */
function parseLockFile(content: string, clusterName: string): Postmaster | undefined {
  const lines = content.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return Number.isInteger(pid) && pid > 0 && port > 0 ? { pid, port, clusterName } : undefined;
}

function isServerOf(clusterName: string, command: string): boolean {
  return command.split(' ').includes(`cluster_name=${clusterName}`);
}

async function waitUntilGone(postmaster: Postmaster, patienceMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + patienceMs;
  while (await isRunning(postmaster)) {
    if (performance.now() > giveUpAt) {
      return false;
    }
    await delay(POLL_MS);
  }
  return true;
}
