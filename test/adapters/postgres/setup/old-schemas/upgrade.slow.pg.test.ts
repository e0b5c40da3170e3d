/** Upgrades from every schema that there ever was: rows stay, tenants stay apart, and the schema is that of today. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPostgresBackend, type PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { MIGRATIONS } from '#adapters/postgres/setup/migrations/migration-list.ts';
import type { OrgId } from '#domain/ids.ts';
import { makeSearcherQuestions } from '#test/contracts/search/searcher/ask-searcher.ts';
import { orgScope } from '#test/support/builders.ts';
import { BACKEND_OPTIONS } from '#test/support/database/postgres-world.ts';
import { and, findHostnames } from '#test/support/filters.ts';
import { readCatalogue } from './catalogue.ts';
import { INVENTORY_ID, ORGANIZATIONS } from './first-rows.ts';
import { makeOldDatabases, type OldDatabases } from './old-database.ts';

let databases: OldDatabases;
/** Of a database that this version made. */
let catalogue: readonly string[];

beforeAll(async () => {
  databases = await makeOldDatabases(inject('databaseUrl'));
  const { ownerUrl } = await databases.create(0);
  const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: ownerUrl });
  await backend.close();
  catalogue = await readCatalogue(ownerUrl);
});

afterAll(() => databases.drop());

const TABLES = [
  ...['partner', 'organization', 'site', 'app_user', 'app_user_organization', 'api_key', 'custom_field'],
  ...['device', 'device_hardware', 'device_network', 'software_title', 'device_software', 'patch', 'script'],
  ...['alert', 'saved_filter', 'audit_log'],
];

/** Columns that a migration has put elsewhere. */
const MOVED = new Set(['inventory_id']);

/** Every row of the first schema's tables, as an object. */
async function readRows(url: string): Promise<ReadonlyMap<string, readonly object[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tables = new Map<string, readonly object[]>();
    for (const table of TABLES) {
      const { rows } = await client.query<{ row: object }>(
        `select to_jsonb(t) as row from ${table} t order by t::text`,
      );
      const kept = rows.map(({ row }) => Object.entries(row).filter(([column]) => !MOVED.has(column)));
      tables.set(
        table,
        kept.map((entries) => Object.fromEntries(entries)),
      );
    }
    return tables;
  } finally {
    await client.end();
  }
}

describe.each(MIGRATIONS.map(({ name }, i) => [name, i + 1] as const))(
  'a database whose last migration was %s',
  (_name, migrations) => {
    let backend: PostgresBackend | undefined;

    afterAll(() => backend?.close());

    test('is upgraded with all that is in it', async () => {
      const { ownerUrl, adminUrl } = await databases.create(migrations);
      const before = await readRows(adminUrl);
      backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url: ownerUrl });
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
        expect(await backend.inventoryStore.knows(orgId, INVENTORY_ID)).toBe(letter === 'a');
      }
    });
  },
);
