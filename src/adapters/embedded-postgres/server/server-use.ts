import {
  createCluster,
  isPresent,
  openCluster,
  readOwnerPassword,
} from '#adapters/embedded-postgres/cluster.ts';
import { removeRunnableCopy } from '#adapters/embedded-postgres/files/runnable-copy.ts';
import { takeSharedLock, tryExclusiveLock } from '#adapters/embedded-postgres/locks/service-locks.ts';
import { withStartMutex } from '#adapters/embedded-postgres/locks/start-mutex.ts';
import { assertNever } from '#domain/assert-never.ts';
import { findPostmaster, isRunning, type Postmaster, stopPostmaster } from './postmaster.ts';
import { chooseServerAccount, type ServerAccount } from './server-account.ts';
import { connectToServer, databaseUrl, stillBusy } from './server-connection.ts';
import { type ConnectedServer, launchServer, type ServerContext } from './server-launch.ts';

/** A process's use of the server. It lasts as long as `session`, which holds the shared lock. */
export interface ServerUse extends ConnectedServer {
  readonly url: string;
  readonly isNew: boolean;
}

/** A running server answers at once, even if it is busy. Silence means that it hangs. */
const START_PATIENCE = { busyPatienceMs: 60_000, silencePatienceMs: 10_000 };
const STOP_PATIENCE = { busyPatienceMs: 5_000, silencePatienceMs: 5_000 };

/** A killed process may keep its session this long. */
const OTHER_USERS_PATIENCE_MS = 250;

const NEVER = new AbortController().signal;

/** Attaches to the server or starts it. Creates a missing cluster. */
export function beginUse(context: ServerContext): Promise<ServerUse> {
  return withStartMutex(context.dataDir, NEVER, async () => {
    try {
      const account = await chooseServerAccount(context.dataDir);
      const isNew = !(await openCluster(context, account));
      if (isNew) await createCluster(context, account);
      return { ...(await openUse(context, account, undefined, NEVER)), isNew };
    } catch (error) {
      // The operator needs the first error, not one of the cleanup.
      await tidyUp(context).catch(() => {});
      throw error;
    }
  });
}

/**
 * Reopens a lost session. A dead server restarts on the same port, because `url` contains it. A missing cluster is an
 * error.
 */
export function resumeUse(
  context: ServerContext,
  port: number,
  signal: AbortSignal,
): Promise<ConnectedServer> {
  return withStartMutex(context.dataDir, signal, async () => {
    const account = await chooseServerAccount(context.dataDir);
    if (!(await openCluster(context, account))) {
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
 * Stops the server and removes the copy of its binaries, unless others use it. The caller's session is already closed.
 * `last` is the server to stop if the data directory was deleted.
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
 * Returns undefined if no server runs. If the server ends meanwhile, looks for it again, because
 * `findPostmaster` removes its remains.
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

async function stopUnlessUsed(context: ServerContext, postmaster: Postmaster): Promise<boolean> {
  if (await isUsed(context, postmaster)) {
    return false;
  }
  await stopPostmaster(postmaster);
  return true;
}

/** A server that does not answer counts as unused. */
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
