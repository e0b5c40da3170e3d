/** Provisioning of databases: new, half ready, ready and unusable. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/embedded-postgres.ts';
import { openPostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { UnusableDatabaseError } from '#adapters/postgres/setup/explain-failure.ts';
import { BASELINE } from '#adapters/postgres/setup/migrate-database.ts';
import { MIGRATIONS } from '#adapters/postgres/setup/migrations/migration-list.ts';
import { type ProvisionedDatabase, provisionDatabase } from '#adapters/postgres/setup/provision.ts';
import { aDevice, anAuditEntry, aSavedFilter, orgScope } from '#test/support/builders.ts';
import { createFreshDatabase, type FreshDatabase } from '#test/support/database/fresh-database.ts';
import { BACKEND_OPTIONS } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const ANY_DEVICE = and({ field: 'hostname', operator: 'contains', value: '' });

let admin: Client;
/** Run after each test, the last first. */
let cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  admin = new Client({ connectionString: inject('databaseUrl') });
  await admin.connect();
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
});

afterAll(() => admin.end());

async function createDatabase(): Promise<FreshDatabase> {
  const database = await createFreshDatabase(inject('databaseUrl'));
  cleanups.push(database.drop);
  return database;
}

/** A database with other options. Its roles are removed with it. */
async function createOddDatabase(name: string, how = `encoding 'UTF8' template template0`): Promise<string> {
  await admin.query(`create database ${escapeIdentifier(name)} ${how}`);
  cleanups.push(async () => {
    const { rows } = await admin.query<{ rolname: string }>(
      `select rolname from pg_roles where shobj_description(oid, 'pg_authid') = $1`,
      [`Made by Fleetsift for its database ${name}`],
    );
    await admin.query(`drop database ${escapeIdentifier(name)} with (force)`);
    for (const { rolname } of rows) await admin.query(`drop role ${escapeIdentifier(rolname)}`);
  });
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${encodeURI(name)}`;
  return url.href;
}

/** A role with these options, and its part of a connection string. */
async function createRole(options: string): Promise<{ role: string; password: string }> {
  const role = `fleetsift_owner_${randomBytes(4).toString('hex')}`;
  await admin.query(`create role ${role} login password 'owner' ${options}`);
  cleanups.push(() => admin.query(`drop role ${role}`));
  return { role, password: 'owner' };
}

function asRole(url: string, { role, password }: { role: string; password: string }): string {
  return Object.assign(new URL(url), { username: role, password }).href;
}

const provision = (
  url: string,
  given: { migrate?: boolean; databaseConnections?: number; onProgress?: (message: string) => void } = {},
) => provisionDatabase({ url, migrate: true, secretNames: ['one', 'two'], ...given });

async function query<R extends object>(url: string, sql: string): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The message with which a database is refused. */
async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'not refused',
    (error: unknown) => {
      if (!(error instanceof UnusableDatabaseError)) throw error;
      return error.message;
    },
  );
}

/** Whether both roles can connect and read. */
async function lookAsRoles(url: string, { roles }: ProvisionedDatabase): Promise<unknown> {
  return [
    await query(asRole(url, roles.app), 'select count(*)::int as n from saved_filter'),
    await query(asRole(url, roles.reader), 'select count(*)::int as n from device'),
  ];
}
const BOTH_LOOKED = [[{ n: 0 }], [{ n: 0 }]];

describe('an empty database', () => {
  test('is migrated and secured, and the progress is reported', async () => {
    const { url } = await createDatabase();
    const told: string[] = [];
    const provisioned = await provision(url, { onProgress: (message) => told.push(message) });
    expect(told).toStrictEqual(['creating the tables']);
    expect(await lookAsRoles(url, provisioned)).toStrictEqual(BOTH_LOOKED);
    expect([...provisioned.secrets.keys()]).toStrictEqual(['one', 'two']);
    for (const secret of provisioned.secrets.values()) {
      expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    }
  });

  test('is made ready once by ten instances that start at once', async () => {
    const { url } = await createDatabase();
    const told: string[] = [];
    const all = await Promise.all(
      Array.from({ length: 10 }, () => provision(url, { onProgress: (message) => told.push(message) })),
    );
    expect(told).toHaveLength(1);
    const [first] = all;
    expect(all).toStrictEqual(all.map(() => first));
    expect(await lookAsRoles(url, first as ProvisionedDatabase)).toStrictEqual(BOTH_LOOKED);
  });

  test('is refused if a newer version has migrated it; the error names the migration', async () => {
    const { url } = await createDatabase();
    await provision(url);
    await query(url, `insert into mikro_orm_migrations (name) values ('Migration20990101Later')`);
    await query(url, `delete from mikro_orm_migrations where name = '${BASELINE}'`);
    for (const migrate of [true, false]) {
      expect(await refusal(provision(url, { migrate }))).toBe(
        'The database was migrated by a newer version of Fleetsift (Migration20990101Later). Run that version, or restore a backup from before',
      );
    }
    expect(await query(url, `select 1 from mikro_orm_migrations where name = '${BASELINE}'`)).toStrictEqual(
      [],
    );
  });

  test('is refused if migrating is off; the error says what to do', async () => {
    const { url } = await createDatabase();
    expect(await refusal(provision(url, { migrate: false }))).toBe(
      `The database lacks ${1 + MIGRATIONS.length} migration(s) and MIGRATE is off. Run: npm run fleetsift -- migrate`,
    );
    expect(await query(url, `select 1 from pg_tables where tablename = 'device'`)).toStrictEqual([]);
  });

  test.each([
    'Fleet "sift"; drop table device; --',
    'fleet$$sift$x$',
    "it's",
    'Été à la mer',
    'ü'.repeat(31),
    'x'.repeat(63),
    `${'x'.repeat(62)}y`,
  ])('is made ready whatever its name: %s', async (name) => {
    const url = await createOddDatabase(name);
    const provisioned = await provision(url);
    expect(await lookAsRoles(url, provisioned)).toStrictEqual(BOTH_LOOKED);
    expect(await provision(url)).toStrictEqual(provisioned);
  });

  test('shares no role with another database whose long name begins the same', async () => {
    const [one, two] = [`${'x'.repeat(62)}1`, `${'x'.repeat(62)}2`];
    const [first, second] = [await createOddDatabase(one), await createOddDatabase(two)];
    const provisioned = await provision(first);
    expect((await provision(second)).roles.app.role).not.toBe(provisioned.roles.app.role);
    expect(await lookAsRoles(first, provisioned)).toStrictEqual(BOTH_LOOKED);
  });
});

describe('a database that is ready', () => {
  test('stays unchanged, including secrets and roles, with migrating on or off', async () => {
    const { url } = await createDatabase();
    const provisioned = await provision(url);
    const look = () =>
      query(
        url,
        `select (select array_agg(p order by p) from pg_policies p) as policies,
                (select array_agg(relacl::text order by relname) from pg_class) as grants,
                (select array_agg(xmin::text order by name) from service_secret) as secrets`,
      );
    const before = await look();
    const told: string[] = [];
    const onProgress = (message: string) => told.push(message);
    expect(await provision(url, { onProgress })).toStrictEqual(provisioned);
    expect(await provision(url, { onProgress, migrate: false })).toStrictEqual(provisioned);
    expect(told).toStrictEqual([]);
    expect(await look()).toStrictEqual(before);
  });

  test('has secrets that no other database has', async () => {
    const [one, two] = [await createDatabase(), await createDatabase()];
    const first = [...(await provision(one.url)).secrets.values()];
    const second = [...(await provision(two.url)).secrets.values()];
    expect(new Set([...first, ...second]).size).toBe(4);
  });

  test('gets a secret that is asked for later', async () => {
    const { url } = await createDatabase();
    const before = await provision(url);
    const after = await provisionDatabase({ url, migrate: false, secretNames: ['one', 'three'] });
    expect([...after.secrets.keys()]).toStrictEqual(['one', 'three']);
    expect(after.secrets.get('one')).toBe(before.secrets.get('one'));
  });

  test('gets its roles back if they are missing, as after a move to another server', async () => {
    const { url } = await createDatabase();
    const provisioned = await provision(url);
    for (const { role } of Object.values(provisioned.roles)) {
      await query(url, `drop owned by ${role}`);
      await query(url, `drop role ${role}`);
    }
    expect(await refusal(provision(url, { migrate: false }))).toContain('MIGRATE is off');
    expect(await provision(url)).toStrictEqual(provisioned);
    expect(await lookAsRoles(url, provisioned)).toStrictEqual(BOTH_LOOKED);
  });

  test('gets the passwords of its roles back if the server has others', async () => {
    const { url } = await createDatabase();
    const provisioned = await provision(url);
    for (const { role } of Object.values(provisioned.roles)) {
      await query(url, `alter role ${role} password 'another'`);
    }
    expect(await refusal(provision(url, { migrate: false }))).toMatch(
      /rejects the passwords.*MIGRATE is off/,
    );
    expect(await provision(url)).toStrictEqual(provisioned);
    expect(await lookAsRoles(url, provisioned)).toStrictEqual(BOTH_LOOKED);
    expect(await provision(url, { migrate: false })).toStrictEqual(provisioned);
  });

  test('lets its roles log in again if they are no longer allowed to', async () => {
    const { url } = await createDatabase();
    const provisioned = await provision(url);
    await query(url, `alter role ${provisioned.roles.app.role} nologin`);
    expect(await provision(url)).toStrictEqual(provisioned);
    expect(await lookAsRoles(url, provisioned)).toStrictEqual(BOTH_LOOKED);
  });

  test('works after a restore beside the roles of another database of the same name', async () => {
    const name = `fleetsift_test_${randomBytes(4).toString('hex')}`;
    const [url, dump] = [await createOddDatabase(name), `${name}_dump`];
    const before = await provision(url);
    await admin.query(`create database ${dump} template ${name}`);
    cleanups.push(() => admin.query(`drop database if exists ${dump} with (force)`));
    await admin.query(`drop database ${name} with (force)`);
    await admin.query(`create database ${name} encoding 'UTF8' template template0`);
    const other = await provision(url);
    expect(other.roles.app).not.toStrictEqual(before.roles.app);
    await admin.query(`drop database ${name} with (force)`);
    await admin.query(`create database ${name} template ${dump}`);
    const restored = await provision(url);
    expect(restored).toStrictEqual(before);
    expect(await lookAsRoles(url, restored)).toStrictEqual(BOTH_LOOKED);
  });

  test('gets its grants back if the reader lacks one that this version needs', async () => {
    const { url } = await createDatabase();
    const provisioned = await provision(url);
    await query(url, `revoke select on saved_filter from ${provisioned.roles.reader.role}`);
    expect(await refusal(provision(url, { migrate: false }))).toBe(
      'The database lacks roles or grants that the service works with, and MIGRATE is off. Run: npm run fleetsift -- migrate',
    );
    expect(await provision(url)).toStrictEqual(provisioned);
    expect(await provision(url, { migrate: false })).toStrictEqual(provisioned);
    const reader = asRole(url, provisioned.roles.reader);
    expect(await query(reader, 'select count(*)::int as n from saved_filter')).toStrictEqual([{ n: 0 }]);
  });

  test.each([
    ['app', 'superuser'],
    ['app', 'bypassrls'],
    ['reader', 'superuser'],
  ] as const)('is refused if the role %s was made %s; the error names the role', async (name, attribute) => {
    const { url } = await createDatabase();
    const { role } = (await provision(url)).roles[name];
    await query(url, `alter role ${role} ${attribute}`);
    const message = `The role ${role} is a superuser or bypasses row-level security, and the service must not use it. Remove the attribute: alter role ... nosuperuser nobypassrls`;
    expect(await refusal(provision(url))).toBe(message);
    expect(await refusal(provision(url, { migrate: false }))).toBe(message);
    await query(url, `alter role ${role} no${attribute}`);
    expect(await refusal(provision(url))).toBe('not refused');
  });
});

describe('an instance that is killed', () => {
  // Each lock of the catalogue blocks the middle of one step and no other.
  test.each([
    ['in a migration', 'pg_extension', null],
    ['between migrating and securing', 'pg_policy', 1 + MIGRATIONS.length],
  ])('%s leaves a database that the next instance makes ready', async (_when, catalogue, migrations) => {
    const { url } = await createDatabase();
    const blocker = new Client({ connectionString: url });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query(`lock table ${catalogue} in share mode`);
    const killed = provision(url).catch((error: unknown) => error);
    await until(async () => {
      const { rows } = await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity
         where datname = $1 and backend_type = 'client backend'
           and wait_event_type = 'Lock' and wait_event = 'relation'`,
        [new URL(url).pathname.slice(1)],
      );
      await admin.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [
        rows.map(({ pid }) => pid),
      ]);
      return rows.length > 0;
    });
    expect(await killed).toBeInstanceOf(Error);
    await blocker.end();

    const isThere = `select where to_regclass('mikro_orm_migrations') is not null`;
    expect(await query(url, isThere)).toHaveLength(migrations === null ? 0 : 1);
    if (migrations !== null) {
      const done = await query<{ n: number }>(url, 'select count(*)::int as n from mikro_orm_migrations');
      expect(done).toStrictEqual([{ n: migrations }]);
    }
    expect(await refusal(provision(url, { migrate: false }))).toContain('MIGRATE is off');
    const provisioned = await provision(url);
    expect(await lookAsRoles(url, provisioned)).toStrictEqual(BOTH_LOOKED);
    expect(await provision(url, { migrate: false })).toStrictEqual(provisioned);
  });
});

describe('a database that cannot be used', () => {
  test.each(['SQL_ASCII', 'LATIN1'])('is refused if it is encoded in %s', async (encoding) => {
    const name = `fleetsift_test_${randomBytes(4).toString('hex')}`;
    const url = await createOddDatabase(name, `encoding '${encoding}' locale 'C' template template0`);
    expect(await refusal(provision(url))).toBe(
      `The database "${name}" is encoded in ${encoding}; Fleetsift needs UTF8. Create it with: create database fleetsift encoding 'UTF8' template template0`,
    );
  });

  test.each([
    ['no server listens', (url: URL) => Object.assign(url, { port: '1' }), 'ECONNREFUSED'],
    [
      'it does not exist',
      (url: URL) => Object.assign(url, { pathname: '/nothing' }),
      '"nothing" does not exist',
    ],
    [
      'the password is wrong',
      (url: URL) => Object.assign(url, { password: 'wrong' }),
      'password authentication',
    ],
  ])('is refused if %s', async (_what, change, reason) => {
    const message = await refusal(provision(change(new URL(inject('databaseUrl'))).href));
    expect(message).toMatch(/^The database cannot be opened: .*\. Check .*DATABASE_URL/);
    expect(message).toContain(reason);
  });

  test('is refused if the server admits fewer connections than DB_POOL', async () => {
    const { url } = await createDatabase();
    const { rows } = await admin.query<{ most: number }>(
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
    );
    const most = rows[0]?.most ?? 0;
    expect(await refusal(provision(url, { databaseConnections: most + 1 }))).toBe(
      `DB_POOL is ${most + 1}, but the server admits ${most} connections (max_connections without those reserved for superusers). Lower DB_POOL, or raise max_connections.`,
    );
    expect(await refusal(provision(url, { databaseConnections: most }))).toBe('not refused');
  });

  test('is refused if the server admits fewer connections than DB_POOL has by default', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'fleetsift-small-'));
    cleanups.push(() => rm(dataDir, { recursive: true }));
    const settings = { fsync: 'off', max_connections: '62' };
    const server = await startEmbeddedPostgres({ dataDir, settings });
    cleanups.push(() => server.stop());
    expect(await refusal(provision(server.url))).toBe(
      'DB_POOL is 60 by default, but the server admits 59 connections (max_connections without those reserved for superusers). Lower DB_POOL, or raise max_connections.',
    );
  });

  test('is refused if another role has the name of a service role; that role is not touched', async () => {
    const { url } = await createDatabase();
    const role = `${new URL(url).pathname.slice(1)}_app`;
    await admin.query(`create role ${role} login password 'mine'`);
    expect(await refusal(provision(url))).toContain(`The server already has a role "${role}"`);
    expect(await query(asRole(url, { role, password: 'mine' }), 'select 1 as one')).toStrictEqual([
      { one: 1 },
    ]);
  });

  test('is refused if its owner has the name of a service role', async () => {
    const name = `fleetsift_test_${randomBytes(4).toString('hex')}`;
    await admin.query(`create role ${name}_app login createrole password 'mine'`);
    const url = await createOddDatabase(name, `encoding 'UTF8' template template0 owner ${name}_app`);
    cleanups.unshift(() => admin.query(`drop role ${name}_app`));
    expect(await refusal(provision(asRole(url, { role: `${name}_app`, password: 'mine' })))).toContain(
      'that Fleetsift did not create',
    );
  });

  test.each([
    ['may create no roles', '', true, 'role'],
    ['does not own the database', 'createrole', false, 'permission denied'],
  ])(
    'is refused if the role in DATABASE_URL %s; the error says what to do',
    async (_what, options, owns, reason) => {
      const owner = await createRole(options);
      const name = `fleetsift_test_${randomBytes(4).toString('hex')}`;
      const url = await createOddDatabase(
        name,
        `encoding 'UTF8' template template0 ${owns ? `owner ${owner.role}` : ''}`,
      );
      const message = await refusal(provision(asRole(url, owner)));
      expect(message).toContain(reason);
      expect(message).toContain('It must own the database and be able to create roles');
    },
  );
});

describe('an owner who is no superuser', () => {
  test('but may create roles has all rights that the service needs, end to end', async () => {
    const owner = await createRole('createrole');
    const name = `fleetsift_test_${randomBytes(4).toString('hex')}`;
    const url = asRole(
      await createOddDatabase(name, `encoding 'UTF8' template template0 owner ${owner.role}`),
      owner,
    );
    const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url });
    expect(await backend.readiness()).toStrictEqual({
      database: true,
      writable: true,
      migrations: true,
      role: true,
    });
    const { orgId, userId } = await createTenant(backend);
    const other = await createTenant(backend);
    // Enough for statistics, which the owner refreshes.
    const devices = Array.from({ length: 600 }, (_, i) =>
      aDevice({ orgId: i < 2 ? orgId : other.orgId, hostname: `host-${String(i).padStart(3, '0')}` }),
    );
    await loadFleet(backend, devices);
    expect(await findHostnames(backend, orgScope(orgId), ANY_DEVICE)).toStrictEqual(['host-000', 'host-001']);
    const filter = aSavedFilter({ orgId, createdBy: userId });
    await backend.unitOfWork(orgScope(orgId), async (tx) => {
      await tx.filters.add(filter);
      await tx.audit(anAuditEntry({ orgId }));
    });
    expect(await Array.fromAsync(backend.filters.list(orgScope(orgId)))).toStrictEqual([filter]);
    expect(await Array.fromAsync(backend.filters.list(orgScope(other.orgId)))).toStrictEqual([]);
    await backend.auditLog(anAuditEntry({ orgId }));
    await backend.close();
    // Forced row-level security applies to the owner too.
    expect(await query(url, 'select 1 from device')).toStrictEqual([]);
    const again = await openPostgresBackend({ ...BACKEND_OPTIONS, url, migrate: false });
    expect(await Array.fromAsync(again.filters.list(orgScope(orgId)))).toStrictEqual([filter]);
    await again.close();
  });
});
