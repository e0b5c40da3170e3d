/**
 * Makes a database ready for the service: checks it, migrates it, and sees to the unprivileged roles that the
 * service works under. All of it as the owner, one instance at a time, and safe to repeat or to be cut off.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { connectionConfig } from './connection-config.ts';
import { MIGRATIONS } from './migrations/migration-list.ts';

import { type ServiceRoles, securityStatements } from './row-level-security.ts';
import { ServiceSecret } from './rows/service-secret.ts';

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

/** The database is not one that the service can run on; the message says what to do. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
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
  // Roles belong to the whole server, so their names carry the database's.
  const names: ServiceRoles = {
    app: `${database.slice(0, 50)}_app`,
    reader: `${database.slice(0, 50)}_reader`,
  };
  const roles = {
    app: { role: names.app, password: await readSecret(owner, 'role_password_app') },
    reader: { role: names.reader, password: await readSecret(owner, 'role_password_reader') },
  };
  const statements = [...Object.values(roles).flatMap(roleStatements), ...securityStatements(names)];
  statements.push(
    `grant connect, temporary on database ${escapeIdentifier(database)} to ${escapeIdentifier(names.app)}`,
    `grant connect on database ${escapeIdentifier(database)} to ${escapeIdentifier(names.reader)}`,
    `grant usage on schema public to ${escapeIdentifier(names.app)}, ${escapeIdentifier(names.reader)}`,
    exemptionStatement(names.reader),
  );
  const digest = createHash('sha256').update(statements.join(';')).digest('hex');
  const { rows } = await owner.query(
    `select 1 from service_secret where name = 'security_digest' and value = $1
        and (select count(*) from pg_roles where rolname = any($2)) = 2`,
    [digest, Object.values(names)],
  );
  if (rows.length === 0 && isAllowed) {
    await owner.query('begin');
    for (const statement of statements) await owner.query(statement);
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

function roleStatements({ role, password }: { readonly role: string; readonly password: string }): string[] {
  const name = escapeIdentifier(role);
  return [
    `do $$ begin
       if not exists (select from pg_roles where rolname = ${escapeLiteral(role)}) then create role ${name} login; end if;
     end $$`,
    `alter role ${name} with login password ${escapeLiteral(password)}`,
  ];
}

/**
 * Takes the reading role out of row-level security altogether, where the owner may. Its policy lets every row
 * through anyway; but under a policy, whatever it says, PostgreSQL keeps its statistics from LIKE, `~`, `&&` and the
 * comparison of enums, and plans without them.
 */
function exemptionStatement(reader: string): string {
  return `do $$ begin
    alter role ${escapeIdentifier(reader)} with bypassrls;
  exception when insufficient_privilege then null;
  end $$`;
}

/** A role that row-level security does not hold is no wall; the reading role is held by its grants. */
async function refusePrivileged(owner: Client, { app, reader }: ServiceRoles): Promise<void> {
  const { rows } = await owner.query<{ rolname: string }>(
    'select rolname from pg_roles where (rolname in ($1, $2) and rolsuper) or (rolname = $1 and rolbypassrls)',
    [app, reader],
  );
  if (rows.length > 0) {
    throw new UnusableDatabaseError(
      `The role ${rows.map(({ rolname }) => rolname).join(', ')} is a superuser or bypasses row-level security; the service must not work under it. Take the attribute away with: alter role ... nosuperuser nobypassrls`,
    );
  }
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
