import { randomBytes } from 'node:crypto';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { Client, type PoolConfig } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { UnusableDatabaseError } from '#adapters/postgres/setup/explain-failure.ts';
import { type ClientClass, pooledClient } from './pooled-client.ts';
import { databaseTls } from './tls.ts';
import { watchedClient } from './watched-client.ts';

/**
 * JIT compilation takes longer than the statements and ignores `statement_timeout`. Searches scan the pending
 * lists of GIN indexes, which takes no measurable time at this length. Generated SQL relies on `timezone` and
 * `standard_conforming_strings`.
 */
const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  jit: 'off',
  timezone: 'UTC',
  standard_conforming_strings: 'on',
  idle_in_transaction_session_timeout: '60s',
  gin_pending_list_limit: '128kB',
};

/** How long the server may be silent while connecting or when probed. */
export const DEFAULT_PATIENCE_MS = 5_000;

/** The operating system's default is hours. */
const KEEP_ALIVE_DELAY_MS = 30_000;

/** Only connections of this process have this in their names. */
export const PROCESS_MARK = `#${randomBytes(4).toString('hex')}`;

export interface ConnectionOptions {
  readonly as?: { readonly role: string; readonly password: string };
  /** As shown in `pg_stat_activity`, followed by `PROCESS_MARK`. */
  readonly applicationName: string;
  /** A `statement_timeout` also limits the wait for a silent server. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly patienceMs?: number;
  readonly isPooled?: boolean;
}

export interface DatabaseConnection extends PoolConfig {
  readonly Client?: ClientClass;
  readonly isPooled?: boolean;
}

/** Throws `UnusableDatabaseError` if the URL's TLS settings are invalid. */
export function connectionConfig(url: string, options: ConnectionOptions): DatabaseConnection {
  const settings: Readonly<Record<string, string>> = { ...SESSION_SETTINGS, ...options.settings };
  const { isPooled = false, patienceMs = DEFAULT_PATIENCE_MS } = options;
  const { statement_timeout: statementTimeout = '0' } = settings;
  const statementMs = Number(statementTimeout);
  const pooled = isPooled ? pooledClient(settings) : undefined;
  const OwnClient =
    statementMs > 0
      ? watchedClient(pooled ?? Client, { patienceMs, limitMs: statementMs + patienceMs })
      : pooled;
  const { url: plainUrl, ssl } = databaseTls(url);
  const { options: _given, ...address } = parseIntoClientConfig(plainUrl);
  return {
    ...address,
    ...(ssl !== undefined && { ssl: ssl && { ...checkedFor(address), ...ssl } }),
    ...(options.as !== undefined && { user: options.as.role, password: options.as.password }),
    application_name: `${options.applicationName} ${PROCESS_MARK}`,
    connectionTimeoutMillis: patienceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    ...(OwnClient !== undefined && { Client: OwnClient }),
    ...(isPooled
      ? { isPooled }
      : {
          options: Object.entries(settings)
            .map(([name, value]) => `-c ${name}=${value}`)
            .join(' '),
        }),
  };
}

/** Throws `UnusableDatabaseError`, naming the variable, if its connection string is invalid. */
export function checkConnectionString(variable: string, url: string): void {
  try {
    connectionConfig(url, { applicationName: 'fleetsift' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDatabaseError(`${variable}: ${reason}`, { cause: error });
  }
}

/**
 * Names the host that the certificate must be for. MikroORM's own `pg` (8.23.0) passes no IP address to TLS,
 * which would then expect a certificate for `localhost`.
 */
function checkedFor({ host, ssl }: PoolConfig): TlsOptions {
  return { ...(host !== undefined && { host }), ...(typeof ssl === 'object' && ssl) };
}

export async function asOwner<T>(
  url: string,
  options: Pick<ConnectionOptions, 'isPooled' | 'applicationName'>,
  work: (owner: Client) => Promise<T>,
): Promise<T> {
  const owner = makeClient(connectionConfig(url, options));
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end().catch(() => undefined);
  }
}

/** Ignores `error` events, which would end the process. After the connection breaks, its next query fails. */
export function makeClient(connection: DatabaseConnection): Client {
  const client = new (connection.Client ?? Client)(connection);
  client.on('error', () => undefined);
  return client;
}
