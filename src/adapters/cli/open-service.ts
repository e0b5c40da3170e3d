/** Opens the service for one command: on DATABASE_URL, or on the embedded PostgreSQL if that is not set. */
import type { Backend } from '#application/backend.ts';
import { type CliRuntime, type CliService, CommandFailed } from './cli-runtime.ts';

export interface OpenOptions {
  /** Runs migrations even with `MIGRATE=off`. */
  readonly migrate?: boolean;
  /** Fails if another service runs on the same data directory. */
  readonly isExclusive?: boolean;
  /** Rejects where the command is to end as it is; nothing is waited for then but the embedded PostgreSQL's end. */
  readonly givenUp?: Promise<never>;
}

/** Closes the service, and the embedded PostgreSQL, when `work` has ended. */
export async function withService<T>(
  runtime: CliRuntime,
  work: (service: CliService) => Promise<T>,
  { isExclusive = false, givenUp, ...options }: OpenOptions = {},
): Promise<T> {
  const { databaseUrl } = runtime.config;
  const orGivenUp = (working: Promise<T>) =>
    givenUp === undefined ? working : Promise.race([working, givenUp]);
  if (databaseUrl !== null) return orGivenUp(workOn(runtime, databaseUrl, options, work));
  const embedded = await runtime.startEmbeddedDatabase();
  try {
    if (isExclusive && !(await embedded.claim())) throw alreadyRunning(runtime.config.dataDir);
    return await orGivenUp(workOn(runtime, embedded.url, options, work));
  } finally {
    await embedded.stop();
  }
}

/** Storage alone, beside a running service or without one. */
export function withBackend<T>(runtime: CliRuntime, work: (backend: Backend) => Promise<T>): Promise<T> {
  return withService(runtime, ({ backend }) => work(backend));
}

async function workOn<T>(
  runtime: CliRuntime,
  databaseUrl: string,
  options: { readonly migrate?: boolean },
  work: (service: CliService) => Promise<T>,
): Promise<T> {
  const service = await runtime.openService(databaseUrl, options);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

function alreadyRunning(dataDir: string): CommandFailed {
  return new CommandFailed(
    `Fleetsift is running on the data directory ${dataDir} already. Stop it first, or set DATA_DIR (and PORT) to run another one beside it.`,
  );
}
