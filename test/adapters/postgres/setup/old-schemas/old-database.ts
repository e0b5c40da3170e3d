/** Databases of version 0.1.0, which made its schema with 42 migrations. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { OWNER_TABLES } from '#adapters/postgres/setup/security/table-policies.ts';
import { createFreshDatabase, type FreshDatabase } from '#test/support/database/fresh-database.ts';
import { FIRST_ROWS } from './first-rows.ts';

export interface OldDatabase {
  /** For the owner, who is no superuser. */
  readonly ownerUrl: string;
  /** For a superuser. */
  readonly adminUrl: string;
}

export interface OldDatabases {
  createEmpty(): Promise<OldDatabase>;
  /** A database of version 0.1.0 with rows, policies and grants. */
  create(): Promise<OldDatabase>;
  /** Removes all these databases and their roles. */
  drop(): Promise<void>;
}

const DUMP = join(import.meta.dirname, '../fixtures/version-0.1.0.sql');

/** `serverUrl` names a superuser. */
export async function makeOldDatabases(serverUrl: string): Promise<OldDatabases> {
  const role = `fleetsift_owner_${randomBytes(4).toString('hex')}`;
  await run(serverUrl, [`create role ${role} login createrole password 'owner'`]);
  const made: FreshDatabase[] = [];
  const createEmpty = async (): Promise<OldDatabase> => {
    const fresh = await createFreshDatabase(serverUrl);
    made.push(fresh);
    await run(serverUrl, [`alter database ${nameOf(fresh.url)} owner to ${role}`]);
    const ownerUrl = Object.assign(new URL(fresh.url), { username: role, password: 'owner' }).href;
    return { ownerUrl, adminUrl: fresh.url };
  };
  return {
    createEmpty,
    create: async () => {
      const database = await createEmpty();
      await run(database.ownerUrl, [await readFile(DUMP, 'utf8')]);
      await run(database.adminUrl, [FIRST_ROWS, forcePolicies(role)]);
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

/** Row-level security applies to the owner too, which has a policy only on its own tables. */
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

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
