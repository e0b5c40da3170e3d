/** Upgrades while the tables are in use: no request fails or queues behind a waiting change. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { UnusableDatabaseError } from '#adapters/postgres/setup/explain-failure.ts';
import { MIGRATIONS, type Migration } from '#adapters/postgres/setup/migrations/migration-list.ts';
import { provisionDatabase } from '#adapters/postgres/setup/provision.ts';
import { makeOldDatabases, type OldDatabase, type OldDatabases } from './old-database.ts';

/** Migrations after the baseline, which rewrite tables that the traffic uses. */
const LATER: readonly Migration[] = [
  ...MIGRATIONS,
  { name: '2099-01-01 first', sql: 'alter table device add column planted uuid default gen_random_uuid()' },
  {
    name: '2099-01-02 second',
    sql: 'alter table device drop column planted; alter table patch alter column status type text',
  },
];

const FIRST_MIGRATIONS = 42;

let databases: OldDatabases;
let database: OldDatabase;
let clients: Client[] = [];

beforeAll(async () => {
  databases = await makeOldDatabases(inject('databaseUrl'));
});

beforeEach(async () => {
  database = await databases.create();
});

afterEach(async () => {
  for (const client of clients) await client.end();
  clients = [];
});

afterAll(() => databases.drop());

async function connect(name: string): Promise<Client> {
  const client = new Client({ connectionString: database.adminUrl, application_name: name });
  await client.connect();
  clients.push(client);
  return client;
}

const upgrade = (given: { patienceMs?: number; onProgress?: (message: string) => void } = {}) =>
  provisionDatabase({ url: database.ownerUrl, migrate: true, secretNames: [], migrations: LATER, ...given });

async function countMigrations(client: Client): Promise<unknown> {
  const { rows } = await client.query(
    'select name, count(*)::int as times from mikro_orm_migrations group by name',
  );
  return rows;
}

const EVERY_MIGRATION_ONCE = expect.toSatisfy(
  (rows: readonly { readonly times: number }[]) =>
    rows.length === FIRST_MIGRATIONS + 1 + LATER.length && rows.every(({ times }) => times === 1),
);

/** Orders of tables that can deadlock with each other. */
const WAYS: readonly (readonly string[])[] = [
  ['select count(*) from device', 'update patch set status = status', 'select count(*) from alert'],
  ['update alert set status = status', 'select count(*) from patch', 'update device set status = status'],
  ['select count(*) from script', 'update site set name = name', 'select count(*) from device_software'],
];

test('readers and writers continue while two instances run each migration once', async () => {
  let isOver = false;
  const go = async (way: readonly string[]) => {
    const client = await connect('traffic');
    let rounds = 0;
    for (; !isOver; rounds++) {
      await client.query('begin');
      for (const statement of way) {
        await client.query(statement);
        await sleep(3);
      }
      await client.query('commit');
      await sleep(20);
    }
    return rounds;
  };
  const traffic = WAYS.map(go);
  const failed = Promise.all(traffic);
  await Promise.race([Promise.all([upgrade(), upgrade()]), failed]);
  isOver = true;
  for (const rounds of await failed) expect(rounds).toBeGreaterThan(0);
  expect(await countMigrations(await connect('test'))).toStrictEqual(EVERY_MIGRATION_ONCE);
});

test('nobody waits behind an upgrade that waits for a long reader, and it says whom it waits for', async () => {
  const [reader, other] = [await connect('fleetsift export'), await connect('traffic')];
  await reader.query('begin');
  await reader.query('select count(*) from device');
  const told = Promise.withResolvers<string>();
  const upgrading = upgrade({
    onProgress: (message) => void (message.startsWith('waiting') && told.resolve(message)),
  });
  expect(await told.promise).toMatch(
    /^waiting for the tables, which are in use by fleetsift export \(pid \d+\)$/,
  );
  // These would never return behind a queued lock.
  for (let i = 0; i < 10; i++) await other.query('update device set status = status');
  expect(await countMigrations(other)).toHaveLength(FIRST_MIGRATIONS);
  await reader.query('commit');
  await upgrading;
  expect(await countMigrations(other)).toStrictEqual(EVERY_MIGRATION_ONCE);
});

test('an upgrade that never gets the tables gives up, changes nothing, and names who has them', async () => {
  const reader = await connect('a nightly report');
  await reader.query('begin');
  await reader.query('select count(*) from patch');
  const error = await upgrade({ patienceMs: 0 }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnusableDatabaseError);
  expect((error as Error).message).toMatch(
    /stayed in use, last by a nightly report \(pid \d+\)\. Nothing was changed/,
  );
  expect(await countMigrations(reader)).toHaveLength(FIRST_MIGRATIONS);
  await reader.query('commit');
  await upgrade();
  expect(await countMigrations(reader)).toStrictEqual(EVERY_MIGRATION_ONCE);
});
