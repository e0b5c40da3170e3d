/** Upgrades from version 0.1.0 keep rows and tenants apart, and result in the schema of a new database. */
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openPostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { UnusableDatabaseError } from '#adapters/postgres/setup/explain-failure.ts';
import { BASELINE } from '#adapters/postgres/setup/migrate-database.ts';
import { provisionDatabase } from '#adapters/postgres/setup/provision.ts';
import { rolloutBucket } from '#domain/filter/values/rollout-bucket.ts';
import { versionKey } from '#domain/filter/values/version-key.ts';
import type { OrgId } from '#domain/ids.ts';
import { readCatalogue } from '#test/adapters/postgres/setup/catalogue.ts';
import { makeSearcherQuestions } from '#test/contracts/search/searcher/ask-searcher.ts';
import { orgScope } from '#test/support/builders.ts';
import { BACKEND_OPTIONS } from '#test/support/database/postgres-world.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { isKnown } from '#test/support/inventories.ts';
import { INVENTORY_ID, ORGANIZATIONS } from './first-rows.ts';
import { makeOldDatabases, type OldDatabases } from './old-database.ts';

let databases: OldDatabases;
/** The catalogue of a new database. */
let catalogue: readonly string[];

beforeAll(async () => {
  databases = await makeOldDatabases(inject('databaseUrl'));
  const { ownerUrl } = await databases.createEmpty();
  const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: ownerUrl });
  await backend.close();
  catalogue = await readCatalogue(ownerUrl);
});

afterAll(() => databases.drop());

const TABLES = [
  ...['partner', 'organization', 'site', 'app_user', 'app_user_organization', 'api_key', 'custom_field'],
  ...['device', 'device_hardware', 'device_network', 'software_title', 'patch', 'script'],
  ...['alert', 'saved_filter', 'audit_log'],
];

async function readRows(url: string): Promise<ReadonlyMap<string, readonly object[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tables = new Map<string, readonly object[]>();
    for (const table of TABLES) {
      const { rows } = await client.query<{ row: object }>(
        `select to_jsonb(t) as row from ${table} t order by t::text`,
      );
      tables.set(
        table,
        rows.map(({ row }) => row),
      );
    }
    return tables;
  } finally {
    await client.end();
  }
}

test('titles of version 0.1.0 are counted, and unused ones are removed', async () => {
  const { ownerUrl, adminUrl } = await databases.create();
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  const titles = async () =>
    (await admin.query<{ name: string }>('select name from software_title order by name')).rows;
  const counts = async () =>
    (
      await admin.query(
        `select o.titles, o.name_bytes::int from organization_titles o where o.org_id = $1
         and o.titles = (select count(*) from organization_software s where s.org_id = o.org_id and s.version_of is null)`,
        [ORGANIZATIONS[0]],
      )
    ).rows;
  try {
    const before = await titles();
    const { rows } = await admin.query<{ id: number }>(
      `insert into software_title (name, name_lc) values ('Gone', 'gone') returning id`,
    );
    await admin.query('insert into organization_software (title_id, org_id, name_lc) values ($1, $2, $3)', [
      rows[0]?.id,
      ORGANIZATIONS[0],
      'gone',
    ]);
    const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: ownerUrl });
    try {
      expect(await counts()).toStrictEqual([{ titles: 2, name_bytes: 'Editor a1.0'.length + 'Gone'.length }]);
      await backend.removeUnusedTitles(100);
    } finally {
      await backend.close();
    }
    expect(await titles()).toStrictEqual(before);
    expect(await counts()).toStrictEqual([{ titles: 1, name_bytes: 'Editor a1.0'.length }]);
  } finally {
    await admin.end();
  }
});

test('software versions that version 0.1.0 stored stay with their devices, and get the current keys', async () => {
  const { ownerUrl, adminUrl } = await databases.create();
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const texts = [...VERSION_TEXTS, '…', '', null];
    await admin.query(
      `with title as (
         insert into software_title (name, name_lc) select 'Tool ' || n, 'tool ' || n from generate_series(1, $2) n
         returning id
       ), device as (
         insert into device (id, org_id, status, device_role, hostname, hostname_lc)
         values (gen_random_uuid(), $1, 'online', 'server', 'v', 'v') returning id
       )
       insert into device_software
       select device.id, $1, array(select id from title order by id), $3 from device`,
      [ORGANIZATIONS[0], texts.length, texts],
    );
    const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: ownerUrl });
    await backend.close();
    const { rows } = await admin.query<{
      version: string | null;
      key: string | null;
      of: string;
      noted: boolean;
    }>(
      `select v.version, v.version_key as key, t.name as of,
         exists (select from organization_software o
                 where o.title_id = v.id and o.version_of = t.id and o.org_id = d.org_id) as noted
       from device d join device_software s on s.device_id = d.id
       join software_title t on t.id = any(s.title_ids)
       left join software_version v on v.title_id = t.id and v.id = any(s.title_ids)
       where d.hostname = 'v' order by t.id`,
    );
    expect(rows).toStrictEqual(
      texts.map((version, i) => ({
        version,
        key: version === null ? null : versionKey(version),
        of: `Tool ${i + 1}`,
        noted: version !== null,
      })),
    );
    const counts = await admin.query('select titles, versions from organization_titles where org_id = $1', [
      ORGANIZATIONS[0],
    ]);
    expect(counts.rows).toStrictEqual([{ titles: 1, versions: texts.length }]);
  } finally {
    await admin.end();
  }
});

test('OS and agent versions that version 0.1.0 stored get the current keys', async () => {
  const { ownerUrl, adminUrl } = await databases.create();
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const texts = [...VERSION_TEXTS, '…', '', null];
    await admin.query(
      `insert into device (id, org_id, status, device_role, hostname, hostname_lc, os_version, agent_version)
       select gen_random_uuid(), $1, 'online', 'server', 'v', 'v', v.text, v.text from unnest($2::text[]) v(text)`,
      [ORGANIZATIONS[0], texts],
    );
    const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: ownerUrl });
    await backend.close();
    const { rows } = await admin.query<{
      text: string | null;
      os: string | null;
      agent: string | null;
      id: string;
    }>(
      `select id, os_version as text, os_version_key as os, agent_version_key as agent, rollout_bucket as bucket
       from device where hostname = 'v'`,
    );
    expect(rows).toHaveLength(texts.length);
    for (const row of rows) {
      const key = row.text === null ? null : versionKey(row.text);
      expect(row).toMatchObject({ os: key, agent: key, bucket: rolloutBucket(row.id) });
    }
  } finally {
    await admin.end();
  }
});

/** The first of each pair of real versions. */
const VERSION_TEXTS = readFileSync(new URL('../../../../fixtures/version-pairs.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t')[0] ?? '');

test('a database of version 0.1.0 is upgraded and used with all its rows', async () => {
  const { ownerUrl, adminUrl } = await databases.create();
  const before = await readRows(adminUrl);
  const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: ownerUrl });
  try {
    expect(await backend.readiness()).toStrictEqual({
      database: true,
      writable: true,
      migrations: true,
      role: true,
    });
    const after = await readRows(adminUrl);
    for (const [table, rows] of before) expect([table, after.get(table)]).toMatchObject([table, rows]);
    expect(await readCatalogue(ownerUrl)).toStrictEqual(catalogue);
    for (const [i, letter] of ['a', 'b'].entries()) {
      const orgId = ORGANIZATIONS[i] as OrgId;
      const scope = orgScope(orgId);
      expect(
        await findHostnames(
          backend,
          scope,
          and({ field: 'software.installed', operator: 'contains', value: 'editor' }),
        ),
      ).toStrictEqual([`Desk-${letter}`]);
      const { search } = makeSearcherQuestions(() => backend as never);
      const found = await search(scope, 'desk');
      expect([found.devices, found.scripts].map((hits) => hits.length)).toStrictEqual([1, 1]);
      expect((await search(scope, 'disk full')).alerts).toHaveLength(1);
      expect(await isKnown(backend, orgId, INVENTORY_ID)).toBe(letter === 'a');
    }
  } finally {
    await backend.close();
  }
});

test('a database of an older version stays unchanged, and is refused with what to do', async () => {
  const { ownerUrl, adminUrl } = await databases.create();
  const owner = new Client({ connectionString: adminUrl });
  await owner.connect();
  try {
    await owner.query('delete from mikro_orm_migrations where id > 40');
    for (const migrate of [true, false]) {
      const error = await provisionDatabase({ url: ownerUrl, migrate, secretNames: [] }).catch(
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(UnusableDatabaseError);
      expect((error as Error).message).toBe(
        'The database was made by a version older than 0.1.0: it has 40 of the 42 migrations of that version, which this one no longer includes. Start version 0.1.0 once, let it migrate the database, and then start this version',
      );
    }
    const { rows } = await owner.query('select max(id) as last from mikro_orm_migrations');
    expect(rows).toStrictEqual([{ last: 40 }]);
    expect(
      (await owner.query('select from mikro_orm_migrations where name = $1', [BASELINE])).rows,
    ).toHaveLength(0);
  } finally {
    await owner.end();
  }
});

test('the oldest of the tenants or sites that share a name keeps it, and the others get a number', async () => {
  const { ownerUrl, adminUrl } = await databases.create();
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`
      insert into partner values
        ('f0000000-0000-7000-8000-000000000001', ' partner A '),
        ('f0000000-0000-7000-8000-000000000002', 'Partner a (2)');
      insert into organization
        select o.id, '${ORGANIZATIONS[0]?.replace(/2$/, '1')}', o.name from (values
          ('f0000000-0000-7000-8000-000000000003'::uuid, 'ORGANIZATION A'),
          ('f0000000-0000-7000-8000-000000000004'::uuid, 'Organization a'),
          ('f0000000-0000-7000-8000-000000000005'::uuid, 'Organization b')) o(id, name);
      insert into site values ('f0000000-0000-7000-8000-000000000006', '${ORGANIZATIONS[0]}', 'site')`);
    const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: ownerUrl });
    await backend.close();
    const names = async (table: string) =>
      (await admin.query<{ name: string }>(`select name from ${table} order by id`)).rows.map(
        ({ name }) => name,
      );
    expect(await names('partner')).toStrictEqual([
      'Partner a',
      'Partner b',
      'partner A (3)',
      'Partner a (2)',
    ]);
    expect(await names('organization')).toStrictEqual([
      ...['Organization a', 'Organization b', 'ORGANIZATION A (2)', 'Organization a (3)', 'Organization b'],
    ]);
    expect(await names('site')).toStrictEqual(['Site', 'Site', 'site (2)']);
  } finally {
    await admin.end();
  }
});
