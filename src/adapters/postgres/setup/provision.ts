/**
 * Makes a database ready for the service: checks the server, runs migrations, and secures it. All of it runs as the
 * owner, one instance at a time, and can be repeated or interrupted safely.
 */
import { Client } from 'pg';
import { connectionConfig } from './connection-config.ts';
import { type MigrateOptions, migrateDatabase } from './migrate-database.ts';
import { type RoleCredentials, secureDatabase } from './secure-database.ts';
import { readSecret } from './service-secret.ts';
import { isPrivilegeMissing, UnusableDatabaseError } from './unusable-database-error.ts';

/** Contract: §9. */
const OLDEST_SERVER_VERSION = 150_000;

/** An arbitrary number that every instance shares. */
const PROVISION_LOCK = 7_317_001;

export interface ProvisionOptions extends MigrateOptions {
  /** The secrets to return. */
  readonly secretNames: readonly string[];
}

export interface ProvisionedDatabase {
  readonly roles: RoleCredentials;
  /** By name: 32 random bytes each, in base64url, generated once and then the same for every instance. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Throws `UnusableDatabaseError`, whose message says what to do, if the service cannot run on the database. */
export async function provisionDatabase(options: ProvisionOptions): Promise<ProvisionedDatabase> {
  const owner = new Client(connectionConfig(options.url, { applicationName: 'fleetsift provision' }));
  // When the connection breaks, its next query fails, and that error is handled.
  owner.on('error', () => undefined);
  await owner.connect().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new UnusableDatabaseError(`The database cannot be opened: ${reason}. ${adviceOn(error)}`, {
      cause: error,
    });
  });
  try {
    const database = await checkServer(owner);
    await owner.query('select pg_advisory_lock($1)', [PROVISION_LOCK]);
    await migrateDatabase(owner, options);
    const roles = await secureDatabase(owner, database, options, (as) =>
      connectionConfig(options.url, { as, applicationName: 'fleetsift provision' }),
    );
    const secrets = new Map<string, string>();
    for (const name of options.secretNames) secrets.set(name, await readSecret(owner, name));
    return { roles, secrets };
  } catch (error) {
    if (!isPrivilegeMissing(error)) throw error;
    throw new UnusableDatabaseError(
      `The role in DATABASE_URL lacks a privilege: ${error.message}. It must own the database and be able to create roles: alter database ... owner to ...; alter role ... createrole`,
      { cause: error },
    );
  } finally {
    // Ends the session and so releases the lock.
    await owner.end().catch(() => undefined);
  }
}

/** What to do about a connection that is refused. */
function adviceOn(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ADVICE[code] ?? 'Check DATABASE_URL, that the server is running, and that it admits this role';
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Check the host in DATABASE_URL',
  ECONNREFUSED: 'Check the host and port in DATABASE_URL, and that the server is running',
  '28P01': 'Check the role and the password in DATABASE_URL; percent-encode special characters in them',
  // Also what pg_hba.conf does not admit.
  '28000': 'The role in DATABASE_URL must be one that may log in from here: alter role ... login',
  '3D000': `Check DATABASE_URL, or create it: create database ... owner ... encoding 'UTF8' template template0`,
};

/** The name of the database that the connection is open to. */
async function checkServer(owner: Client): Promise<string> {
  const { rows } = await owner.query<{ version: string; encoding: string; database: string; name: string }>(
    `select current_setting('server_version_num') as version, current_setting('server_version') as name,
            current_setting('server_encoding') as encoding, current_database() as database`,
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
  return server.database;
}
