/**
 * The PostgreSQL that runs if DATABASE_URL is not set (Contract: §9). Any number of processes may use one
 * data directory: the first starts the server, the others attach, the last one stops it. The server
 * survives when a process is killed, and the next start attaches to it.
 */
import { openDataDir } from './files/data-dir.ts';
import { findNativePackage } from './files/native-package.ts';
import { acquireServiceLock } from './locks/exclusive-service-lock.ts';
import type { ServerContext } from './server/server-context.ts';
import { beginUse, resumeUse, stopUnused } from './server/server-use.ts';
import { reconnectWhenLost } from './session/reconnecting-session.ts';

/** A running server that this process uses. */
export interface EmbeddedPostgres {
  /** Connection string of the owner role, database `fleetsift`, on the loopback address. Good until `stop`. */
  readonly url: string;
  /** Whether this call created the cluster. */
  readonly isNew: boolean;
  /** Claims the data directory for the service in this process until it ends; false if another service runs on it. */
  claim(): Promise<boolean>;
  /** Ends this process's use; the last user of the server stops it and leaves nothing behind. Idempotent. */
  stop(): Promise<void>;
}

/** Where the data is, and where progress is reported. */
export interface EmbeddedPostgresOptions {
  /** The data directory (`DATA_DIR`); created if missing, readable by its owner only. */
  readonly dataDir: string;
  /** Called with a sentence about whatever takes long or fails: creation, recovery, a lost server. */
  readonly onProgress?: (message: string) => void;
  /** PostgreSQL settings that override ours, by name, for a server that this call starts. For tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts the server of a data directory, or attaches to it if it is running, and keeps it running: if it dies
 * while in use, it is restarted on the same port. Rejects, saying what the operator can do, on a platform without
 * embedded PostgreSQL, in a directory that this user cannot use, and if PostgreSQL does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const context: ServerContext = {
    native: await findNativePackage(),
    dataDir: await openDataDir(options.dataDir),
    settings: options.settings ?? {},
    report: options.onProgress ?? (() => {}),
  };
  const use = await beginUse(context, new AbortController().signal);
  let { postmaster } = use;
  const session = reconnectWhenLost(use.session, {
    reopen: async (signal) => {
      const resumed = await resumeUse(context, use.postmaster.port, signal);
      postmaster = resumed.postmaster;
      return resumed.session;
    },
    onLost: () => context.report('Lost the connection to the embedded database: reconnecting'),
    onRestored: () => context.report('The embedded database is back'),
    onFailure: (error) => context.report(`The embedded database is still unavailable: ${error.message}`),
  });
  let stopped: Promise<void> | undefined;
  return {
    url: use.url,
    isNew: use.isNew,
    claim: async () => (await acquireServiceLock(use.url)).ok,
    stop: () => {
      stopped ??= session.close().then(() => stopUnused(context, postmaster));
      return stopped;
    },
  };
}
