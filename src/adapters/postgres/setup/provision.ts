/**
 * Makes a database ready for the service: checks it, migrates it, and sees to the unprivileged roles that the
 * service works under. All of it as the owner, one instance at a time, and safe to repeat or to be cut off.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client, escapeIdentifier } from 'pg';
import { connectionConfig } from './connection-config.ts';
import { MIGRATIONS } from './migrations/migration-list.ts';
import { type ServiceRoles, securityStatements } from './row-level-security.ts';
import {
  createServiceRole,
  exemptReader,
  passwordStatement,
  refusePrivileged,
  serviceRoleNames,
} from './service-roles.ts';
import { ServiceSecret } from './service-secret.ts';
import { isPrivilegeMissing, UnusableDatabaseError } from './unusable-database-error.ts';

/** Contract: §9. */
const OLDEST_SERVER_VERSION = 150_000;

/** Any number; it only has to be the same in every instance. */
const PROVISION_LOCK = 7_317_001;

export interface ProvisionOptions {
  /** The owner's connection string. */
  readonly url: string;
  /** Off, the database must have been migrated by another. */
  readonly migrate: boolean;
  /** Secrets that are to be read, and made where they are missing. */
  readonly secretNames: readonly string[];
  readonly onProgress?: (message: string) => void;
}

export interface ProvisionedDatabase {
  readonly roles: Readonly<Record<keyof ServiceRoles, { readonly role: string; readonly password: string }>>;
  /** 32 random bytes each, in base64url; made on first use and the same for every instance from then on. */
  readonly secrets: ReadonlyMap<string, string>;
}

export async function provisionDatabase(options: ProvisionOptions): Promise<ProvisionedDatabase> {
  const owner = new Client(connectionConfig(options.url, { applicationName: 'fleetsift provision' }));
  // A connection that ends makes its next query fail, which is where it is handled.
  owner.on('error', () => undefined);
  await owner.connect().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new UnusableDatabaseError(
      `The database cannot be opened: ${reason}. Check DATABASE_URL, and that the server runs and lets its role in.`,
      { cause: error },
    );
  });
  try {
    const database = await checkServer(owner);
    await owner.query('select pg_advisory_lock($1)', [PROVISION_LOCK]);
    await migrate(options);
    return await secureDatabase(owner, options, database);
  } catch (error) {
    if (!isPrivilegeMissing(error)) throw error;
    throw new UnusableDatabaseError(
      `The role of DATABASE_URL may not do what is to be done: ${error.message}. It has to own the database and to create roles: alter database ... owner to ...; alter role ... createrole`,
      { cause: error },
    );
  } finally {
    // Ends the session, and with it the lock.
    await owner.end().catch(() => undefined);
  }
}

async function checkServer(owner: Client): Promise<string> {
  const { rows } = await owner.query<{ version: string; encoding: string; database: string; name: string }>(
    `select current_setting('server_version_num') as version, current_setting('server_version') as name,
            current_setting('server_encoding') as encoding, current_database() as database`,
  );
  const [server] = rows;
  if (server === undefined) throw new Error('the server did not say what it is');
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

async function migrate({ url, migrate: isAllowed, onProgress }: ProvisionOptions): Promise<void> {
  const connection = connectionConfig(url, { applicationName: 'fleetsift migrate' });
  const orm = await MikroORM.init({
    driverOptions: connection,
    dbName: connection.database ?? 'fleetsift',
    // The database is there: we have just been connected to it.
    ensureDatabase: false,
    entities: [ServiceSecret],
    extensions: [Migrator],
    migrations: { migrationsList: [...MIGRATIONS], snapshot: false, transactional: true, allOrNothing: true },
    pool: { min: 0, max: 2 },
    debug: false,
    // Progress is told in our own words.
    logger: () => undefined,
  });
  try {
    const pending = await orm.migrator.getPending();
    if (pending.length === 0) return;
    if (!isAllowed) {
      throw new UnusableDatabaseError(
        `The database lacks ${pending.length} migration(s) and MIGRATE is off. Run: npm run fleetsift -- migrate`,
      );
    }
    onProgress?.(`migrating the database (${pending.map(({ name }) => name).join(', ')})`);
    await orm.migrator.up();
  } finally {
    await orm.close();
  }
}

async function secureDatabase(
  owner: Client,
  { migrate: isAllowed, secretNames }: ProvisionOptions,
  database: string,
): Promise<ProvisionedDatabase> {
  const names = serviceRoleNames(database);
  const roles = {
    app: { role: names.app, password: await readSecret(owner, 'role_password_app') },
    reader: { role: names.reader, password: await readSecret(owner, 'role_password_reader') },
  };
  const statements = [
    ...Object.values(roles).map(passwordStatement),
    ...securityStatements(names),
    `grant connect, temporary on database ${escapeIdentifier(database)} to ${escapeIdentifier(names.app)}`,
    `grant connect on database ${escapeIdentifier(database)} to ${escapeIdentifier(names.reader)}`,
    `grant usage on schema public to ${escapeIdentifier(names.app)}, ${escapeIdentifier(names.reader)}`,
  ];
  const digest = createHash('sha256').update(statements.join(';')).digest('hex');
  const { rows } = await owner.query<{ digest: string | null; roles: number }>(
    `select (select value from service_secret where name = 'security_digest') as digest,
            (select count(*)::int from pg_roles where rolname = any($1)) as roles`,
    [Object.values(names)],
  );
  const [secured] = rows;
  const isSecured = secured?.digest != null && secured.roles === 2;
  if (!isAllowed && !isSecured) {
    throw new UnusableDatabaseError(
      'The database lacks the roles that the service works under, and MIGRATE is off. Run: npm run fleetsift -- migrate',
    );
  }
  if (isAllowed && !(isSecured && secured.digest === digest)) {
    await owner.query('begin');
    for (const role of Object.values(names)) {
      await createServiceRole(owner, database, role, secured?.digest != null);
    }
    for (const statement of statements) await owner.query(statement);
    await exemptReader(owner, names.reader);
    await owner.query(
      `insert into service_secret (name, value) values ('security_digest', $1)
         on conflict (name) do update set value = excluded.value`,
      [digest],
    );
    await owner.query('commit');
  }
  await refusePrivileged(owner, names);
  const secrets = new Map<string, string>();
  for (const name of secretNames) secrets.set(name, await readSecret(owner, name));
  return { roles, secrets };
}

/** A secret of the database, made when it is first asked for. */
async function readSecret(owner: Client, name: string): Promise<string> {
  await owner.query(
    'insert into service_secret (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, randomBytes(32).toString('base64url')],
  );
  const { rows } = await owner.query<{ value: string }>('select value from service_secret where name = $1', [
    name,
  ]);
  const [secret] = rows;
  if (secret === undefined) throw new Error(`the secret ${name} cannot be read back`);
  return secret.value;
}
