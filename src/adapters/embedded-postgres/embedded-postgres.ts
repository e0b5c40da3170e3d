/**
 * The database used without DATABASE_URL (Contract: §9). Processes share a data directory: the first starts
 * the server, others attach, and the last stops it. The server survives a killed process.
 */
import { openDataDir } from './files/data-dir.ts';
import { findNativePackage } from './files/native-package.ts';
import { acquireServiceLock } from './locks/service-locks.ts';
import type { ServerContext } from './server/server-launch.ts';
import { beginUse, resumeUse, stopUnused } from './server/server-use.ts';
import { reconnectWhenLost } from './session/session.ts';

export interface EmbeddedPostgres {
  /** Connects as the database's owner on the loopback address. Valid until `stop`. */
  readonly url: string;
  readonly isNew: boolean;
  /** Claims the data directory for a service. False if another service runs on it. */
  claim(): Promise<boolean>;
  /** Stops the server unless others use it. Idempotent. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Created if missing, readable by its owner only. */
  readonly dataDir: string;
  readonly onProgress?: (message: string) => void;
  /** For tests: settings of a server that this call starts. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts the server or attaches to it, and restarts a dead server on the same port. Errors tell the operator
 * what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const context: ServerContext = {
    native: await findNativePackage(),
    dataDir: await openDataDir(options.dataDir),
    settings: options.settings ?? {},
    report: options.onProgress ?? (() => {}),
  };
  const use = await beginUse(context);
  let { postmaster } = use;
  const session = reconnectWhenLost(use.session, {
    reopen: async (signal) => {
      const resumed = await resumeUse(context, use.postmaster.port, signal);
      postmaster = resumed.postmaster;
      return resumed.session;
    },
    report: context.report,
  });
  let stopped: Promise<void> | undefined;
  return {
    url: use.url,
    isNew: use.isNew,
    claim: async () => (await acquireServiceLock(use.url)) !== null,
    stop: () => {
      stopped ??= session.close().then(() => stopUnused(context, postmaster));
      return stopped;
    },
  };
}
