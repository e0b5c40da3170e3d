/** One process's use of the server: attached or started, held by a shared lock, and released. */
import {
  createCluster,
  isPresent,
  openCluster,
  readOwnerPassword,
} from '#adapters/embedded-postgres/cluster.ts';
import { removeRunnableCopy } from '#adapters/embedded-postgres/files/runnable-copy.ts';
import { takeSharedLock, tryExclusiveLock } from '#adapters/embedded-postgres/locks/advisory-lock.ts';
import { withStartMutex } from '#adapters/embedded-postgres/locks/start-mutex.ts';
import { assertNever } from '#domain/assert-never.ts';
import { findPostmaster, isRunning, type Postmaster, stopPostmaster } from './postmaster.ts';
import { chooseServerAccount, type ServerAccount } from './server-account.ts';
import { connectToServer, databaseUrl, stillBusy } from './server-connection.ts';
import type { ServerContext } from './server-context.ts';
import { type ConnectedServer, launchServer } from './server-launch.ts';

/** A use of the server: it lasts as long as the session does, which holds the shared lock. */
export interface ServerUse extends ConnectedServer {
  readonly url: string;
  /** Whether the cluster was created for it. */
  readonly isNew: boolean;
}

/** A server that was already running answers at once, if only that it is busy; silence means that it hangs. */
const START_PATIENCE = { busyPatienceMs: 60_000, silencePatienceMs: 10_000 };
const STOP_PATIENCE = { busyPatienceMs: 5_000, silencePatienceMs: 5_000 };

/** How long the session of another process that was just killed may still exist. */
const OTHER_USERS_PATIENCE_MS = 250;

const NEVER = new AbortController().signal;

/**
 * Begins a use: attaches to the running server, or starts it, creating the cluster first if there is none.
 * Rejects, saying what the operator can do.
 */
export function beginUse(context: ServerContext, signal: AbortSignal): Promise<ServerUse> {
  return withStartMutex(context.dataDir, signal, async () => {
    try {
      const account = await chooseServerAccount(context.dataDir);
      const isNew = (await openCluster(context, account)) === 'absent';
      if (isNew) {
        await createCluster(context, account);
      }
      return { ...(await openUse(context, account, undefined, signal)), isNew };
    } catch (error) {
      // The operator needs the first error.
      await tidyUp(context).catch(() => {});
      throw error;
    }
  });
}

/**
 * Resumes a use whose session was lost. A dead server is restarted on the same port, because `url` names it; a cluster
 * that is gone is not replaced by an empty one.
 */
export function resumeUse(
  context: ServerContext,
  port: number,
  signal: AbortSignal,
): Promise<ConnectedServer> {
  return withStartMutex(context.dataDir, signal, async () => {
    const account = await chooseServerAccount(context.dataDir);
    if ((await openCluster(context, account)) === 'absent') {
      throw new Error(`there is no database in ${context.dataDir.cluster} any more`);
    }
    const { session, postmaster } = await openUse(context, account, port, signal);
    if (postmaster.port !== port) {
      await session.close();
      await stopUnlessUsed(context, postmaster);
      throw new Error(
        `it was started on port ${postmaster.port}, because ${port} was taken: stop the other processes that use it, or restart this one`,
      );
    }
    return { session, postmaster };
  });
}

/**
 * Ends the server and what was made for it, unless others use it. The caller's own session is closed already;
 * `last` is the server that it was on, for the case that its data directory has been deleted since.
 */
export async function stopUnused(context: ServerContext, last: Postmaster): Promise<void> {
  const { dataDir } = context;
  if (!(await isPresent(dataDir.cluster))) {
    if (await isRunning(last)) {
      await stopPostmaster(last);
    }
    return removeRunnableCopy(dataDir);
  }
  return withStartMutex(dataDir, NEVER, async () => {
    const postmaster = await findPostmaster(dataDir.cluster);
    if (postmaster === undefined || (await stopUnlessUsed(context, postmaster))) {
      await removeRunnableCopy(dataDir);
    }
  });
}

/** After a start that failed: the copy of the binaries goes, unless a server still runs from it. */
async function tidyUp(context: ServerContext): Promise<void> {
  if ((await findPostmaster(context.dataDir.cluster)) === undefined) {
    await removeRunnableCopy(context.dataDir);
  }
}

async function openUse(
  context: ServerContext,
  account: ServerAccount | undefined,
  port: number | undefined,
  signal: AbortSignal,
): Promise<Omit<ServerUse, 'isNew'>> {
  const password = await readOwnerPassword(context.dataDir);
  const server =
    (await attachToRunning(context, password, signal)) ??
    (await launchServer(context, { account, password, port, signal }));
  try {
    await takeSharedLock(server.session, 'use');
  } catch (error) {
    await server.session.close();
    throw error;
  }
  return { ...server, url: databaseUrl(server.postmaster.port, password) };
}

/**
 * The server that is already running, of other processes or after a crash; `undefined` if there is none. One that ends
 * meanwhile is looked for again, because the search clears what it left: a parent that never asks for it would keep its
 * number, and with that its lock file, in use.
 */
async function attachToRunning(
  context: ServerContext,
  password: string,
  signal: AbortSignal,
): Promise<ConnectedServer | undefined> {
  const postmaster = await findPostmaster(context.dataDir.cluster);
  if (postmaster === undefined) {
    return undefined;
  }
  const reached = await connectToServer(context, { postmaster, password, ...START_PATIENCE, signal });
  switch (reached.outcome) {
    case 'ready':
      return { session: reached.session, postmaster };
    case 'gone':
      return attachToRunning(context, password, signal);
    case 'busy':
      throw stillBusy(reached.reason);
    case 'silent':
      context.report(`The running database does not answer (${reached.reason}): restarting it`);
      await stopPostmaster(postmaster);
      return attachToRunning(context, password, signal);
    default:
      return assertNever(reached);
  }
}

/** Returns whether it was stopped. */
async function stopUnlessUsed(context: ServerContext, postmaster: Postmaster): Promise<boolean> {
  if (await isUsed(context, postmaster)) {
    return false;
  }
  await stopPostmaster(postmaster);
  return true;
}

/** A server that does not answer has no users; a process that waits for one to recover will start it again. */
async function isUsed(context: ServerContext, postmaster: Postmaster): Promise<boolean> {
  const reached = await connectToServer(context, {
    postmaster,
    password: await readOwnerPassword(context.dataDir),
    ...STOP_PATIENCE,
    signal: NEVER,
  });
  if (reached.outcome !== 'ready') {
    return false;
  }
  try {
    return !(await tryExclusiveLock(reached.session, 'use', OTHER_USERS_PATIENCE_MS));
  } finally {
    await reached.session.close();
  }
}
