/** The months of the audit log: made ahead, filled from the rest, closed to the service, and found fast. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { sessionVariables } from '#adapters/postgres/setup/security/service-roles.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { anAuditEntry, newId, orgScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import {
  BACKEND_OPTIONS,
  createPostgresWorld,
  type PostgresWorld,
} from '#test/support/database/postgres-world.ts';

const NOW = Date.UTC(2026, 10, 22);

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'), { clock: () => NOW });
});

afterAll(() => world.close());

const monthTables = async (query: PostgresWorld['query']) =>
  (
    await query<{ name: string }>(
      'owner',
      `select relname as name from pg_class where relnamespace = 'audit_months'::regnamespace and relkind = 'r'
       order by relname`,
    )
  ).map(({ name }) => name);

test('the start creates this month and the next two', async () => {
  expect(await monthTables(world.query)).toStrictEqual(['m_2026_11', 'm_2026_12', 'm_2027_01', 'rest']);
});

test.each(['app', 'reader'] as const)('the role %s reaches months only through audit_log', async (role) => {
  for (const statement of [
    'select 1 from audit_months.rest',
    'delete from audit_months.m_2026_11',
    'update audit_months.m_2026_11 set action = $$x$$',
    'truncate audit_months.m_2026_11',
    'drop table audit_months.m_2026_11',
    'alter table audit_log detach partition audit_months.m_2026_11',
  ]) {
    await expect(world.query(role, statement)).rejects.toMatchObject({ code: '42501' });
  }
});

test('an owner who is no superuser makes, fills and drops months', async () => {
  const admin = new Client({ connectionString: inject('databaseUrl') });
  await admin.connect();
  const name = `fleetsift_test_${randomBytes(4).toString('hex')}`;
  await admin.query(`create role ${name}_owner login createrole password 'owner'`);
  await admin.query(`create database ${name} encoding 'UTF8' template template0 owner ${name}_owner`);
  const url = Object.assign(new URL(inject('databaseUrl')), {
    pathname: `/${name}`,
    username: `${name}_owner`,
    password: 'owner',
  }).href;
  try {
    const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url, clock: () => NOW });
    const late = anAuditEntry({ at: Date.UTC(2020, 1, 3) });
    await backend.auditLog(late);
    const dropped = anAuditEntry({ at: NOW });
    expect(await backend.auditArchive.dropMonthsBefore(Date.UTC(2020, 2, 1), () => dropped)).toStrictEqual([
      '2020-02',
    ]);
    const query = {
      action: null,
      actorIds: null,
      resourceId: null,
      orgId: null,
      result: null,
      from: null,
      to: null,
      after: null,
    };
    expect(await backend.readAuditEntries(SYSTEM_SCOPE, { ...query, limit: 10 })).toStrictEqual([dropped]);
    await backend.close();
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    for (const role of ['app', 'reader', 'owner']) await admin.query(`drop role ${name}_${role}`);
    await admin.end();
  }
});

describe('a page without a match reads hardly any of 100,000 audit entries', () => {
  const orgId = newId<'organization'>();

  beforeAll(async () => {
    await world.query(
      'owner',
      `insert into audit_log (id, at, actor_type, actor_id, org_id, action, result, resource_type, resource_id, details, request_id)
       select gen_random_uuid(), timestamptz '2026-09-01Z' + n * interval '1 minute', 'user',
              md5((n % 300)::text)::uuid, case n % 4 when 0 then $1::uuid else md5((n % 7)::text)::uuid end,
              case when n % 4 > 0 and n % 5 = 0 then 'filter.create' else 'filter.preview' end,
              'success', 'filter', md5((n % 1000)::text || 'r')::uuid, '{}', 'r'
       from generate_series(1, 100000) n`,
      [orgId],
    );
    await world.backend.auditArchive.prepareMonths(NOW);
    await world.query('owner', 'analyze audit_log');
  }, 120_000);

  const scopes: readonly (readonly [string, () => AccessScope])[] = [
    ['the system', () => SYSTEM_SCOPE],
    ['one organization', () => orgScope(orgId)],
  ];
  const filters: readonly (readonly [string, string])[] = [
    ['an actor', `actor_id = '0194b875-ae33-7ed2-8965-5e8613a4b30d'`],
    ['an action', `action = 'auth.mfa.enrolled'`],
    ['an action that only others have taken', `action = 'filter.create'`],
    ['a resource', `resource_id = '0194b875-ae33-7ed2-8965-5e8613a4b30d'`],
  ];

  test.each(
    scopes.flatMap(([who, scope]) => filters.map(([what, where]) => [what, who, where, scope] as const)),
  )('by %s, for %s', async (_what, _who, where, scope) => {
    const blocks = await world.connected('app', async (client) => {
      await client.query('begin');
      // Like the reader of the audit log.
      await client.query('set local random_page_cost = 1.1');
      for (const [name, value] of Object.entries(sessionVariables(scope()))) {
        await client.query('select set_config($1, $2, true)', [name, value]);
      }
      const own = scope().kind === 'system' ? 'true' : `org_id in ('${orgId}')`;
      type Plan = { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, buffers, format json)
           select * from audit_log where ${own} and ${where} order by at desc, id desc limit 51`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    });
    // The whole log has about 3,000. Each month and the rest may cost a descent or two.
    expect(blocks).toBeLessThan(100);
  });
});
