import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** A connection outside the pools. Its locks end with it. */
export interface Session {
  /** Resolves when the session is closed or lost. */
  readonly ended: Promise<void>;
  query(statement: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  unref(): void;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 2_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

export async function openSession(url: string): Promise<Session> {
  const socket = new Socket();
  const client = new Client({
    connectionString: url,
    stream: () => socket,
    ssl: false,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    application_name: 'fleetsift-lock',
    options: '-c statement_timeout=0 -c idle_session_timeout=0',
  });
  // An error event without a listener would end the process. `ended` reports the loss.
  client.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve);
  });
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return {
    ended,
    query: async (statement, values = []) => (await client.query(statement, [...values])).rows,
    unref: () => {
      socket.unref();
    },
    close: async () => {
      socket.ref();
      // A hanging server does not confirm the end.
      const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
      await client.end().finally(() => clearTimeout(timer));
    },
  };
}

export interface ReconnectingSession {
  close(): Promise<void>;
}

interface SessionRecovery {
  /** Retried after a pause if it rejects. */
  readonly reopen: (signal: AbortSignal) => Promise<Session>;
  /** Tells the operator that the session is lost, cannot be reopened, or is back. */
  readonly report: (message: string) => void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Neither the session nor a pause keeps the process alive. */
export function reconnectWhenLost(first: Session, recovery: SessionRecovery): ReconnectingSession {
  const closing = new AbortController();
  let current = first;
  let closed: Promise<void> | undefined;
  current.unref();
  const watch = (async () => {
    while (true) {
      await current.ended;
      if (closing.signal.aborted) {
        return;
      }
      recovery.report('Lost the connection to the embedded database: reconnecting');
      const reopened = await reopenWithBackoff(recovery, closing.signal);
      if (reopened === undefined) {
        return;
      }
      if (closing.signal.aborted) {
        await reopened.close();
        return;
      }
      current = reopened;
      current.unref();
      recovery.report('The embedded database is back');
    }
  })();
  const close = async () => {
    closing.abort();
    await current.close();
    await watch;
  };
  return {
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

async function reopenWithBackoff(
  recovery: SessionRecovery,
  signal: AbortSignal,
): Promise<Session | undefined> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      return await recovery.reopen(signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      recovery.report(`The embedded database is still unavailable: ${(error as Error).message}`);
    }
    await delay(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
  return undefined;
}
