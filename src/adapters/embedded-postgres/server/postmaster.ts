/** The running server of a cluster: found by its lock file, known by its command line, stopped by signals. */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readDataFile } from '#adapters/embedded-postgres/files/data-dir.ts';
import { findProcesses, processExists, readCommand, sendSignal } from './process-table.ts';

/** A server process of a cluster. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** The name of the cluster in the command line of the server and of all its children. */
  readonly clusterName: string;
}

const POLL_MS = 20;

/** How long each way of stopping gets before the next, harsher one. */
const STOP_SIGNALS: readonly { readonly signal: NodeJS.Signals; readonly patienceMs: number }[] = [
  // Fast: ends the sessions, writes everything out.
  { signal: 'SIGINT', patienceMs: 10_000 },
  // Immediate: as after a power failure; the next start recovers.
  { signal: 'SIGQUIT', patienceMs: 10_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
];

/**
 * A name that no other cluster on this machine has, whatever it was copied from, moved or restored to. The
 * server carries it as `cluster_name`, which PostgreSQL also shows in the command line of every child.
 */
export async function clusterNameOf(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `fleetsift-${dev}-${ino}`;
}

/**
 * The running server of a cluster, or `undefined` if there is none (or no cluster). In that case, nothing is left that
 * would keep PostgreSQL from starting. A lock file is removed if it is unusable, or if its process is not a server
 * (another program after a reboot, or a killed server that has not been waited for). A server without a lock file,
 * whose starter was killed halfway, is stopped. The lock file of a dead server stays, because PostgreSQL reads from it
 * which shared memory to look at.
 *
 * Only the holder of the start mutex may call this.
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

/** Whether the process exists and is the server of that cluster. */
export async function isRunning({ pid, clusterName }: Postmaster): Promise<boolean> {
  const command = await readCommand(pid);
  return command !== undefined && isServerOf(clusterName, command);
}

/** Stops a server and waits until it is gone: fast first, by force if need be. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  for (const { signal, patienceMs } of STOP_SIGNALS) {
    // By now the number may be another program's.
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

/**
 * Ends the children that a killed server left at work: one busy with a long query notices the loss of its
 * parent only at the end of it, and until then no new server can start.
 */
export async function endOrphans(clusterName: string): Promise<void> {
  for (const pid of await findProcesses((command) => command.startsWith(`postgres: ${clusterName}: `))) {
    sendSignal(pid, 'SIGQUIT');
  }
}

/** Lines of the file: process id, data directory, start time, port, and others that we do not need. */
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
