import { setTimeout as delay } from 'node:timers/promises';
import { OWNER_ROLE } from '#adapters/embedded-postgres/cluster.ts';
import { errorCodeOf } from '#adapters/embedded-postgres/files/data-dir.ts';
import { openSession, type Session } from '#adapters/embedded-postgres/session/session.ts';
import { isRunning, type Postmaster } from './postmaster.ts';
import type { ServerContext } from './server-launch.ts';

const DATABASE_NAME = 'fleetsift';

export type ConnectOutcome =
  | { readonly outcome: 'ready'; readonly session: Session }
  | { readonly outcome: 'gone' }
  /** The server has been starting, recovering or stopping for too long. */
  | { readonly outcome: 'busy'; readonly reason: string }
  /** The server runs, but does not answer. */
  | { readonly outcome: 'silent'; readonly reason: string };

export interface ConnectOptions {
  readonly postmaster: Postmaster;
  readonly password: string;
  readonly busyPatienceMs: number;
  readonly silencePatienceMs: number;
  readonly signal: AbortSignal;
}

const REPORT_BUSY_AFTER_MS = 1_000;
const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

const BUSY = '57P03';
const NO_SUCH_DATABASE = '3D000';
const REFUSED_LOGIN: readonly string[] = ['28000', '28P01'];

/** TLS is off, whatever `PGSSLMODE` and `PGSSLNEGOTIATION` say. */
export function databaseUrl(port: number, password: string, database: string = DATABASE_NAME): string {
  return `postgresql://${OWNER_ROLE}:${password}@127.0.0.1:${port}/${database}?sslmode=disable&sslnegotiation=postgres`;
}

/** Connects to the server, and creates the database in a new cluster. Throws if the password is refused. */
export async function connectToServer(
  context: ServerContext,
  attempt: ConnectOptions,
): Promise<ConnectOutcome> {
  const { postmaster, password, signal } = attempt;
  const url = databaseUrl(postmaster.port, password);
  const startedAt = performance.now();
  let pauseMs = SHORTEST_PAUSE_MS;
  let hasReported = false;
  while (true) {
    signal.throwIfAborted();
    try {
      return { outcome: 'ready', session: await openSession(url) };
    } catch (error) {
      const reason = (error as Error).message;
      const code = errorCodeOf(error) ?? '';
      const waitedMs = performance.now() - startedAt;
      if (code === NO_SUCH_DATABASE) {
        await createDatabase(databaseUrl(postmaster.port, password, 'postgres'));
        continue;
      }
      if (REFUSED_LOGIN.includes(code)) {
        throw new Error(
          `The database server on port ${postmaster.port} refuses the password in ${context.dataDir.password}: ${reason}`,
          { cause: error },
        );
      }
      if (!(await isRunning(postmaster))) {
        return { outcome: 'gone' };
      }
      if (code === BUSY) {
        if (waitedMs > attempt.busyPatienceMs) {
          return { outcome: 'busy', reason };
        }
        if (!hasReported && waitedMs > REPORT_BUSY_AFTER_MS) {
          hasReported = true;
          context.report(`Waiting for the database: ${reason}`);
        }
      } else if (waitedMs > attempt.silencePatienceMs) {
        return { outcome: 'silent', reason };
      }
    }
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
}

/** A busy server is left running, because a restart would begin its recovery again. */
export function stillBusy(reason: string): Error {
  return new Error(
    `The database is not ready yet (${reason}). It is still starting or recovering: try again later`,
  );
}

async function createDatabase(url: string): Promise<void> {
  const session = await openSession(url);
  try {
    await session.query(`create database ${DATABASE_NAME}`);
  } finally {
    await session.close();
  }
}
