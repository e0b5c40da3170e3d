import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { appendToDataFile, type DataDir } from '#adapters/embedded-postgres/files/data-dir.ts';
import type { NativePackage } from '#adapters/embedded-postgres/files/native-package.ts';
import { prepareBinaries } from '#adapters/embedded-postgres/files/server-binaries.ts';
import type { Session } from '#adapters/embedded-postgres/session/session.ts';
import { spawnOptionsFor, workingDirectoryName } from './child-program.ts';
import { clusterNameOf, endOrphans, type Postmaster, stopPostmaster } from './postmaster.ts';
import type { ServerAccount } from './server-account.ts';
import { type ConnectOutcome, connectToServer, stillBusy } from './server-connection.ts';
import { choosePort, rememberPort } from './server-port.ts';

// Settings are passed on the command line, so the cluster's files stay unchanged.

const MEBIBYTE = 1024 * 1024;

interface ServerArguments {
  readonly directory: string;
  readonly port: number;
  readonly clusterName: string;
  readonly settings: Readonly<Record<string, string>>;
}

function serverArguments({ directory, port, clusterName, settings }: ServerArguments): string[] {
  const all: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: sharedBuffers(),
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    // Statements and details contain user input, which must not be logged.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...settings,
    cluster_name: clusterName,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', directory, '-p', String(port), ...options];
}

/** A sixteenth of memory, from 32 to 256 MiB, because the service shares the machine. */
function sharedBuffers(): string {
  const mebibytes = Math.floor(totalmem() / MEBIBYTE / 16);
  return `${Math.min(256, Math.max(32, mebibytes))}MB`;
}

const MAX_BYTES = 8 * 1024 * 1024;
const TAIL_BYTES = 4096;

async function openServerLog(dataDir: DataDir): Promise<FileHandle> {
  if ((await serverLogBytes(dataDir)) > MAX_BYTES) {
    await rename(dataDir.log, `${dataDir.log}.1`);
  }
  return await appendToDataFile(dataDir, dataDir.log);
}

async function readServerLog(dataDir: DataDir, fromByte: number): Promise<string> {
  const start = Math.max(fromByte, (await serverLogBytes(dataDir)) - TAIL_BYTES);
  const handle = await open(dataDir.log).catch(() => undefined);
  try {
    const read = await handle?.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start);
    return read?.buffer.toString('utf8', 0, read.bytesRead).trim() ?? '';
  } finally {
    await handle?.close();
  }
}

async function serverLogBytes(dataDir: DataDir): Promise<number> {
  return (await stat(dataDir.log).catch(() => undefined))?.size ?? 0;
}

interface Launch {
  readonly account: ServerAccount | undefined;
  readonly password: string;
  readonly port: number | undefined;
  readonly signal: AbortSignal;
}

export interface ConnectedServer {
  readonly postmaster: Postmaster;
  readonly session: Session;
}

const PATIENCE_MS = 60_000;
const ATTEMPTS = 20;
const RETRY_PAUSE_MS = 250;

/** A killed server frees its port late, so a fixed port is tried several times. */
const FIXED_PORT_ATTEMPTS = 4;

/**
 * PostgreSQL logs the first message if children of a killed server are alive, and the second if the port was
 * just taken.
 */
const ORPHANS_AT_WORK = /pre-existing shared memory block|lock file ".*" already exists/;
const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets/;

/**
 * Errors contain the end of the server's log. Requires the start mutex and no running server. Ends children of a killed
 * server only if PostgreSQL refuses to start because of them.
 */
export async function launchServer(context: ServerContext, launch: Launch): Promise<ConnectedServer> {
  const { dataDir, native } = context;
  const binaries = await prepareBinaries(dataDir, native, launch.account);
  for (let attempt = 1; ; attempt += 1) {
    const { postmaster, logStart } = await spawnServer(context, launch, binaries);
    const reached = await reachOrStop(context, launch, postmaster);
    if (reached.outcome === 'ready') {
      await rememberPort(dataDir, postmaster.port);
      return { postmaster, session: reached.session };
    }
    const log = await readServerLog(dataDir, logStart);
    if (reached.outcome === 'busy') {
      throw stillBusy(`${reached.reason}; the end of ${dataDir.log}: ${log}`);
    }
    if (attempt >= ATTEMPTS || !(await canTryAgain(log, postmaster, launch, attempt))) {
      const reason = reached.outcome === 'silent' ? ` (${reached.reason})` : '';
      throw new Error(`The database does not start${reason}. The end of ${dataDir.log}:\n${log}`);
    }
    await delay(RETRY_PAUSE_MS);
  }
}

async function spawnServer(
  context: ServerContext,
  launch: Launch,
  binaries: string,
): Promise<{ readonly postmaster: Postmaster; readonly logStart: number }> {
  const { dataDir, settings } = context;
  const { account } = launch;
  const port = launch.port ?? (await choosePort(dataDir));
  const clusterName = await clusterNameOf(dataDir.cluster);
  const directory = workingDirectoryName(dataDir.cluster, account);
  const log = await openServerLog(dataDir);
  try {
    const { size: logStart } = await log.stat();
    const child = spawn(
      join(binaries, 'postgres'),
      serverArguments({ directory, port, clusterName, settings }),
      {
        ...spawnOptionsFor(account),
        cwd: dataDir.cluster,
        // Ctrl+C must reach only the service, which then stops the server properly.
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      },
    );
    await once(child, 'spawn');
    child.unref();
    return { postmaster: { pid: child.pid as number, port, clusterName }, logStart };
  } finally {
    await log.close();
  }
}

async function reachOrStop(
  context: ServerContext,
  launch: Launch,
  postmaster: Postmaster,
): Promise<ConnectOutcome> {
  const { password, signal } = launch;
  try {
    const reached = await connectToServer(context, {
      postmaster,
      password,
      busyPatienceMs: PATIENCE_MS,
      silencePatienceMs: PATIENCE_MS,
      signal,
    });
    if (reached.outcome === 'silent') {
      await stopPostmaster(postmaster);
    }
    return reached;
  } catch (error) {
    await stopPostmaster(postmaster);
    throw error;
  }
}

async function canTryAgain(
  log: string,
  postmaster: Postmaster,
  launch: Launch,
  attempt: number,
): Promise<boolean> {
  if (ORPHANS_AT_WORK.test(log)) {
    await endOrphans(postmaster.clusterName);
    return true;
  }
  return PORT_TAKEN.test(log) && (launch.port === undefined || attempt < FIXED_PORT_ATTEMPTS);
}

export interface ServerContext {
  readonly dataDir: DataDir;
  readonly native: NativePackage;
  readonly settings: Readonly<Record<string, string>>;
  readonly report: (message: string) => void;
}
