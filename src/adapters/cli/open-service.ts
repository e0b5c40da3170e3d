/** Runs a command on DATABASE_URL or, without it, on the embedded PostgreSQL. */
import { constants } from 'node:os';
import { report } from '#adapters/cli/terminal/door.ts';
import type { Backend } from '#application/backend.ts';
import type { DatabaseTools } from '#application/ports/database-tools.ts';
import { type CliRuntime, type CliService, CommandFailed, type StorageOptions } from './cli-runtime.ts';
import { onStopSignal, type StopSignal } from './service/stop-signals.ts';

export interface OpenOptions extends StorageOptions {
  readonly isExclusive?: boolean;
  /** Rejects if the command should end at once. The command then waits only for the embedded PostgreSQL to stop. */
  readonly givenUp?: Promise<never>;
}

/**
 * `work` handles the first stop signal if it listens for one. Otherwise, and at a second signal, the command
 * ends at once.
 */
export async function withService<T>(
  runtime: CliRuntime,
  work: (service: CliService) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  if (options.givenUp !== undefined) return openAndWork(runtime, work, options);
  return untilInterrupted((givenUp) => openAndWork(runtime, work, { ...options, givenUp }));
}

/** An interrupted command leaves nothing half done, but it must stop the embedded PostgreSQL. */
async function untilInterrupted<T>(run: (givenUp: Promise<never>) => Promise<T>): Promise<T> {
  const givenUp = Promise.withResolvers<never>();
  // Without this, a rejection that nothing awaits yet would end the process.
  givenUp.promise.catch(() => undefined);
  let isFirst = true;
  const unhear = onStopSignal((signal) => {
    const workListens = process.listenerCount(signal) > 1;
    if (!isFirst || !workListens) givenUp.reject(new Interrupted(signal));
    isFirst = false;
  });
  try {
    return await run(givenUp.promise);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    report('interrupted');
    // Exits without waiting: unfinished work has lost its database and may hang.
    return process.exit(128 + constants.signals[error.signal]);
  } finally {
    unhear();
  }
}

class Interrupted extends Error {
  readonly signal: StopSignal;

  constructor(signal: StopSignal) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

async function openAndWork<T>(
  runtime: CliRuntime,
  work: (service: CliService) => Promise<T>,
  { isExclusive = false, givenUp, ...options }: OpenOptions,
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

/** For commands that may run beside the service. */
export function withBackend<T>(runtime: CliRuntime, work: (backend: Backend) => Promise<T>): Promise<T> {
  return withService(runtime, ({ backend }) => work(backend));
}

export function databaseToolsOf({ databaseTools }: Pick<CliService, 'databaseTools'>): DatabaseTools {
  if (databaseTools === null) throw new CommandFailed('this command needs a backend with a database');
  return databaseTools;
}

async function workOn<T>(
  runtime: CliRuntime,
  databaseUrl: string,
  options: StorageOptions,
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
    `Fleetsift is running on the data directory ${dataDir} already. Stop it first, or set DATA_DIR and PORT to run another one beside it.`,
  );
}
