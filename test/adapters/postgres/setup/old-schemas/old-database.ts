/** Databases as former versions of Fleetsift left them, one for each migration that was the last one once. */
import { randomBytes } from 'node:crypto';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { MIGRATIONS } from '#adapters/postgres/setup/migrations/migration-list.ts';
import { OWNER_TABLES } from '#adapters/postgres/setup/security/row-level-security.ts';
import { ServiceSecret } from '#adapters/postgres/setup/security/service-secret.ts';
import {
  createFreshDatabase,
  createMigratedDatabase,
  type FreshDatabase,
} from '#test/support/database/fresh-database.ts';
import { FIRST_ROWS } from './first-rows.ts';

export interface OldDatabase {
  /** As a role that owns the database and is no superuser. */
  readonly ownerUrl: string;
  /** As a role that may do everything and that no policy holds. */
  readonly adminUrl: string;
}

export interface OldDatabases {
  /** A database after so many migrations, no fewer than before, with rows in it, secured as every version has done it. */
  create(migrations: number): Promise<OldDatabase>;
  /** Removes every database that was made, with all roles. */
  drop(): Promise<void>;
}

/** `serverUrl` names a role that may do everything. */
export async function makeOldDatabases(serverUrl: string): Promise<OldDatabases> {
  const role = `fleetsift_owner_${randomBytes(4).toString('hex')}`;
  await run(serverUrl, [`create role ${role} login createrole password 'owner'`]);
  const made: FreshDatabase[] = [];
  const own = async (fresh: FreshDatabase): Promise<OldDatabase> => {
    made.push(fresh);
    await run(serverUrl, [`alter database ${nameOf(fresh.url)} owner to ${role}`]);
    const ownerUrl = Object.assign(new URL(fresh.url), { username: role, password: 'owner' }).href;
    return { ownerUrl, adminUrl: fresh.url };
  };
  // Is copied, and grows from version to version, so that each migration has to run but once.
  const growing = await own(await createFreshDatabase(serverUrl));
  return {
    create: async (migrations) => {
      await migrate(growing.ownerUrl, migrations);
      const database = await own(await createMigratedDatabase(serverUrl, nameOf(growing.adminUrl)));
      if (migrations > 0) await run(database.adminUrl, [FIRST_ROWS, forcePolicies(role)]);
      return database;
    },
    drop: async () => {
      for (const { drop } of made) await drop();
      await run(serverUrl, [`drop role ${role}`]);
    },
  };
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** Row-level security holds the owner as well, who has a policy on tables of its own alone. */
function forcePolicies(owner: string): string {
  const own = OWNER_TABLES.map((table) => `'${table}'`).join(', ');
  return `do $$ declare t record; begin
    for t in select relname as name, relname in (${own}) as is_own from pg_class
             where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
               and relname <> 'mikro_orm_migrations'
    loop
      execute format('alter table %I enable row level security', t.name);
      execute format('alter table %I force row level security', t.name);
      if t.is_own then execute format('create policy owner_only on %I to ${owner} using (true)', t.name); end if;
    end loop;
  end $$`;
}

async function migrate(url: string, migrations: number): Promise<void> {
  const orm = await MikroORM.init({
    clientUrl: url,
    ensureDatabase: false,
    entities: [ServiceSecret],
    extensions: [Migrator],
    migrations: {
      migrationsList: MIGRATIONS.slice(0, migrations),
      snapshot: false,
      transactional: true,
      allOrNothing: true,
    },
    logger: () => undefined,
  });
  try {
    await orm.migrator.up();
  } finally {
    await orm.close();
  }
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
