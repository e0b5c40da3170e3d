/**
 * Checks the server, runs migrations and secures the database, as its owner and in one instance at a time.
 * May be interrupted and repeated.
 */
import type { Client } from 'pg';
import { lockNumber } from '#adapters/postgres/lock-number.ts';
import { connectionConfig, makeClient } from './connections/connection-config.ts';
import { DEFAULT_CONNECTIONS } from './connections/pool-sizes.ts';
import {
  explainFailure,
  isPrivilegeMissing,
  POOLER_ADVICE,
  UnusableDatabaseError,
} from './explain-failure.ts';
import { type MigrateOptions, migrateDatabase } from './migrate-database.ts';
import { type RoleCredentials, secureDatabase } from './security/secure-database.ts';
import { readSecret } from './security/service-roles.ts';

/** PostgreSQL 15 (Contract: §9). */
const OLDEST_SERVER_VERSION = 150_000;

const PROVISION_LOCK = lockNumber('provision');

export interface ProvisionOptions extends MigrateOptions {
  readonly url: string;
  readonly isPooled?: boolean;
  /** Contract: §15, DB_POOL. Undefined if the default applies. */
  readonly databaseConnections?: number | undefined;
  readonly secretNames: readonly string[];
}

export interface ProvisionedDatabase {
  /** As PostgreSQL numbers it: 180004 is 18.4. */
  readonly serverVersion: number;
  readonly roles: RoleCredentials;
  readonly secrets: ReadonlyMap<string, string>;
}

export async function provisionDatabase(options: ProvisionOptions): Promise<ProvisionedDatabase> {
  const { url, isPooled = false } = options;
  const connect = () =>
    makeClient(connectionConfig(url, { applicationName: 'fleetsift provision', isPooled }));
  const [owner, lock] = [connect(), connect()];
  await owner.connect().catch((error: unknown) => {
    throw new UnusableDatabaseError(`The database cannot be opened: ${explainFailure(error)}`, {
      cause: error,
    });
  });
  try {
    const { database, serverVersion } = await checkServer(owner, options);
    await holdLock(lock);
    await migrateDatabase(owner, options);
    const roles = await secureDatabase(owner, database, options, (as) =>
      connectionConfig(url, { as, applicationName: 'fleetsift provision', isPooled }),
    );
    const secrets = new Map<string, string>();
    for (const name of options.secretNames) secrets.set(name, await readSecret(owner, name));
    return { serverVersion, roles, secrets };
  } catch (error) {
    if (!isPrivilegeMissing(error)) throw error;
    throw new UnusableDatabaseError(
      `The role in DATABASE_URL lacks a privilege: ${error.message}. It must own the database and be able to create roles: alter database ... owner to ...; alter role ... createrole`,
      { cause: error },
    );
  } finally {
    await Promise.all([owner, lock].map((client) => client.end().catch(() => undefined)));
  }
}

/** Holds the lock in a transaction until the connection ends. A session's lock would stay behind in a pooler. */
async function holdLock(client: Client): Promise<void> {
  await client.connect();
  await client.query('begin');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  await client.query('select pg_advisory_xact_lock($1)', [PROVISION_LOCK]);
}

async function checkServer(
  owner: Client,
  { isPooled = false, databaseConnections: given }: ProvisionOptions,
): Promise<Pick<ProvisionedDatabase, 'serverVersion'> & { readonly database: string }> {
  const { rows } = await owner.query<{
    version: string;
    encoding: string;
    database: string;
    name: string;
    is_read_only: boolean;
    connections: number;
    has_settings: boolean;
  }>(
    `select current_setting('server_version_num') as version, current_setting('server_version') as name,
            current_setting('server_encoding') as encoding, current_database() as database,
            pg_is_in_recovery() as is_read_only,
            current_setting('max_connections')::int
              - current_setting('superuser_reserved_connections')::int as connections,
            current_setting('jit') = 'off' and current_setting('timezone') = 'UTC'
              and current_setting('gin_pending_list_limit') = '128kB' as has_settings`,
  );
  const [server] = rows;
  if (server === undefined) throw new Error('the server did not report its version');
  if (Number(server.version) < OLDEST_SERVER_VERSION) {
    throw new UnusableDatabaseError(
      `The database is PostgreSQL ${server.name}; Fleetsift needs 15 or newer. Point DATABASE_URL at a newer server.`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw new UnusableDatabaseError(
      `The database "${server.database}" is encoded in ${server.encoding}; Fleetsift needs UTF8. Create it with: create database fleetsift encoding 'UTF8' template template0`,
    );
  }
  if (server.is_read_only) {
    throw new UnusableDatabaseError(
      'The server in DATABASE_URL is read-only: it is a replica, or a restored server that stopped at its recovery target. Set DATABASE_URL to the primary, or promote this server: select pg_promote()',
    );
  }
  if (isPooled) return { database: server.database, serverVersion: Number(server.version) };
  if (!server.has_settings) {
    throw new UnusableDatabaseError(`The database ignores the settings of connections. ${POOLER_ADVICE}`);
  }
  const wanted = given ?? DEFAULT_CONNECTIONS;
  if (wanted > server.connections) {
    const source = given === undefined ? ' by default' : '';
    throw new UnusableDatabaseError(
      `DB_POOL is ${wanted}${source}, but the server admits ${server.connections} connections (max_connections without those reserved for superusers). Lower DB_POOL, or raise max_connections.`,
    );
  }
  return { database: server.database, serverVersion: Number(server.version) };
}
