/** The backup role reads everything, like `pg_dump`, and changes nothing. */
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Client, escapeIdentifier } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { provisionDatabase } from '#adapters/postgres/setup/provision.ts';
import { makeCreateBackupRole } from '#adapters/postgres/setup/security/backup-role.ts';
import { RECORDS } from '#test/adapters/demo/fixed-demo.ts';
import { createFreshDatabase, type FreshDatabase } from '#test/support/database/fresh-database.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { loadFleet } from '#test/support/tenant.ts';

const PASSWORD = 'backup';

async function connectedTo<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function asRole(url: string, role: string, password: string): string {
  return Object.assign(new URL(url), { username: role, password }).href;
}

/** Every table and sequence. */
const RELATIONS = `select c.oid::regclass::text as name, c.relkind as kind from pg_class c
  where c.relnamespace in ('public'::regnamespace, 'audit_months'::regnamespace) and c.relkind in ('r', 'S')
    and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by name`;

/** Reads everything like `pg_dump`, which fails if a policy would hide a row. */
async function readAll(url: string): Promise<Readonly<Record<string, string>>> {
  return connectedTo(url, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local row_security = off');
    const { rows } = await client.query<{ name: string; kind: 'r' | 'S' }>(RELATIONS);
    const held: [string, string][] = [];
    for (const { name, kind } of rows) {
      if (kind === 'r') {
        await client.query(`lock table ${name} in access share mode`);
        held.push([name, await text(client.query(copyTo(`copy ${name} to stdout`)))]);
      } else {
        const { rows: values } = await client.query(`select last_value, is_called from ${name}`);
        held.push([name, JSON.stringify(values)]);
      }
    }
    await client.query('commit');
    return Object.fromEntries(held);
  });
}

describe('an owner who is a superuser', () => {
  let world: PostgresWorld;

  beforeAll(async () => {
    world = await createPostgresWorld(inject('databaseUrl'));
    await loadFleet(world.backend, RECORDS);
  });

  afterAll(() => world.close());

  test('creates a role that reads every table and sequence, and can do nothing else', async () => {
    const made = await world.backend.databaseTools.createBackupRole(PASSWORD);
    expect(made).toMatchObject({ kind: 'ready', password: PASSWORD });
    const url = asRole(world.url, made.role, PASSWORD);
    // Superusers see everything.
    const all = await readAll(world.url);
    expect(await readAll(url)).toStrictEqual(all);
    expect(
      Object.entries(all)
        .filter(([, held]) => held !== '')
        .map(([name]) => name),
    ).toEqual(
      expect.arrayContaining([
        'device',
        'app_user',
        'saved_filter',
        'service_secret',
        'software_title_id_seq',
        'software_version_id_seq',
      ]),
    );
    await connectedTo(url, async (client) => {
      for (const statement of [
        'delete from device',
        `update app_user set name = ''`,
        'create table x (y int)',
      ]) {
        await expect(client.query(statement)).rejects.toThrow(/permission denied/);
      }
    });
  });

  test('finds the role ready when asked again, and the role reads tables that came later', async () => {
    const { role } = await world.backend.databaseTools.createBackupRole(PASSWORD);
    await world.query('owner', 'create table audit_months.later (held text)');
    await world.query('owner', `insert into audit_months.later values ('kept')`);
    try {
      expect(await world.backend.databaseTools.createBackupRole('another')).toMatchObject({
        kind: 'ready',
        password: null,
      });
      expect(await readAll(asRole(world.url, role, PASSWORD))).toMatchObject({
        'audit_months.later': 'kept\n',
      });
    } finally {
      await world.query('owner', 'drop table audit_months.later');
    }
  });
});

describe('an owner who is no superuser', () => {
  let database: FreshDatabase;
  let ownerUrl: string;
  const owner = `fleetsift_owner_${randomBytes(4).toString('hex')}`;

  beforeAll(async () => {
    database = await createFreshDatabase(inject('databaseUrl'));
    const name = new URL(database.url).pathname.slice(1);
    await connectedTo(database.url, async (admin) => {
      await admin.query(`create role ${owner} login createrole password 'owner'`);
      await admin.query(`alter database ${name} owner to ${owner}`);
    });
    ownerUrl = asRole(database.url, owner, 'owner');
    await provisionDatabase({ url: ownerUrl, migrate: true, secretNames: ['one'] });
  });

  afterAll(async () => {
    await database.drop();
    await connectedTo(inject('databaseUrl'), (admin) => admin.query(`drop role ${owner}`));
  });

  test('cannot dump the tables, because their policies apply to the owner as well', async () => {
    await expect(readAll(ownerUrl)).rejects.toThrow(/row-level security/);
  });

  test('gets the statements with which a superuser creates the role', async () => {
    const createBackupRole = makeCreateBackupRole(ownerUrl);
    const refused = await createBackupRole(PASSWORD);
    if (refused.kind !== 'not-allowed') throw new Error(`the role is ${refused.kind}`);
    await connectedTo(database.url, async (admin) => {
      const { rows } = await admin.query('select 1 from pg_roles where rolname = $1', [refused.role]);
      expect(rows).toStrictEqual([]);
      for (const statement of refused.statements) await admin.query(statement);
    });
    expect(await readAll(asRole(database.url, refused.role, PASSWORD))).toStrictEqual(
      await readAll(database.url),
    );
    expect(await createBackupRole('another')).toMatchObject({ kind: 'ready', password: null });
  });

  test('does not take over another role of the same name', async () => {
    const { role } = await makeCreateBackupRole(ownerUrl)(PASSWORD);
    await connectedTo(database.url, (admin) =>
      admin.query(`comment on role ${escapeIdentifier(role)} is null`),
    );
    expect(await makeCreateBackupRole(ownerUrl)(PASSWORD)).toMatchObject({ kind: 'taken', role });
  });
});
