/**
 * The PostgreSQL that runs without DATABASE_URL (Contract: §9). Processes share a data directory: the first starts
 * the server, others attach, and the last stops it. The server survives a killed process, and the next start attaches
 * to it.
 */
import { openDataDir } from './files/data-dir.ts';
import { findNativePackage } from './files/native-package.ts';
import { acquireServiceLock } from './locks/service-locks.ts';
import type { ServerContext } from './server/server-launch.ts';
import { beginUse, resumeUse, stopUnused } from './server/server-use.ts';
import { reconnectWhenLost } from './session/session.ts';

export interface EmbeddedPostgres {
  /** Connects as the owner role to database `fleetsift` on the loopback address. Valid until `stop`. */
  readonly url: string;
  /** Whether this call created the cluster. */
  readonly isNew: boolean;
  /** Claims the data directory for this process's service; false if another service runs on it. */
  claim(): Promise<boolean>;
  /** Ends this process's use. The last user stops the server. Idempotent. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** `DATA_DIR`; created if missing, readable by its owner only. */
  readonly dataDir: string;
  /** Called with a sentence about slow or failing steps: creation, recovery, a lost server. */
  readonly onProgress?: (message: string) => void;
  /** Overrides PostgreSQL settings of a server that this call starts. For tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts the server or attaches to it. If it dies while in use, it is restarted on the same port. Rejects with advice
 * for the operator if the platform has no embedded PostgreSQL, the directory is unusable or PostgreSQL does not
 * start.
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
