/** Where the database is and as whom to go there. */
import type { PoolConfig } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';

/**
 * What every connection of the service is set to. `jit` is off because compiling outlasts the statements, and does
 * not listen to statement_timeout. What inverted indexes have pending is looked through by every search, which takes
 * no measurable time as long as it is this short. The rest is what generated SQL relies on.
 */
const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  jit: 'off',
  timezone: 'UTC',
  standard_conforming_strings: 'on',
  idle_in_transaction_session_timeout: '60s',
  gin_pending_list_limit: '128kB',
};

/** Milliseconds until a connection that does not come about is given up. */
const CONNECT_TIMEOUT_MS = 5_000;

export interface ConnectionOptions {
  /** As whom, in place of the role in the URL. */
  readonly as?: { readonly role: string; readonly password: string };
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Settings beside those of every connection. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** What `pg` needs to connect to the database of the URL. */
export function connectionConfig(url: string, options: ConnectionOptions): PoolConfig {
  const settings = { ...SESSION_SETTINGS, ...options.settings };
  return {
    ...parseIntoClientConfig(url),
    ...(options.as !== undefined && { user: options.as.role, password: options.as.password }),
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
}
