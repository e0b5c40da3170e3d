/** The second check between tenants, in the catalogue and in statements without the first. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sessionVariables } from '#adapters/postgres/setup/security/service-roles.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { loadTwoTenants, SCOPE_NAMES, type TwoTenants } from '#test/adapters/postgres/setup/two-tenants.ts';
import {
  createPostgresWorld,
  type PostgresWorld,
  type WorldRole,
} from '#test/support/database/postgres-world.ts';

/** Tables without policies: the list of migrations, which has nothing of any tenant. */
const EXEMPT_TABLES: readonly string[] = ['mikro_orm_migrations'];

/** Tables that are closed to the app role. */
const CLOSED_TABLES: readonly string[] = [
  'service_secret',
  'device_search_block',
  'script_search_block',
  'alert_search_block',
  'initial_load',
];

/** A row in it would refuse the changes of this test; see `maintenance.pg.test.ts`. */
const EMPTY_TABLES: readonly string[] = ['maintenance', 'hearing'];

/** Every privilege on a table; the last came with PostgreSQL 17. */
const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN'];

/** Everything that the two roles may do. */
const GRANTS: Readonly<Record<string, { readonly app: string; readonly reader: string }>> = {
  account_deletion_request: { app: 'SELECT INSERT UPDATE', reader: '' },
  account_link: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  alert: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  alert_search: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  alert_search_block: { app: '', reader: 'SELECT' },
  api_key: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  app_user: { app: 'SELECT INSERT UPDATE', reader: '' },
  app_user_organization: { app: 'SELECT INSERT DELETE', reader: '' },
  audit_log: { app: 'SELECT INSERT', reader: '' },
  custom_field: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  device: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  device_hardware: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  device_inventory_id: { app: 'SELECT INSERT UPDATE', reader: '' },
  device_known_key: { app: 'SELECT INSERT UPDATE', reader: 'SELECT' },
  device_network: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  device_names: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  device_search: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  device_search_block: { app: '', reader: 'SELECT' },
  device_software: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  device_state: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  device_volume: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  enrolment_key: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  federated_identity: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  identity_provider: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  identity_provider_domain: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  hearing: { app: 'SELECT INSERT UPDATE', reader: '' },
  initial_load: { app: '', reader: '' },
  live_change: { app: 'SELECT INSERT DELETE', reader: '' },
  live_filter: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  live_mark: { app: 'SELECT INSERT DELETE', reader: '' },
  live_member: { app: 'SELECT INSERT DELETE', reader: '' },
  live_organization: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  live_partner: { app: 'SELECT INSERT UPDATE', reader: '' },
  live_timer: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  maintenance: { app: 'SELECT INSERT DELETE', reader: '' },
  mail_outbox: { app: 'SELECT INSERT UPDATE', reader: '' },
  mfa_enrollment: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  mikro_orm_migrations: { app: 'SELECT', reader: '' },
  organization: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  organization_software: { app: 'SELECT INSERT DELETE', reader: 'SELECT' },
  organization_titles: { app: 'SELECT INSERT UPDATE', reader: '' },
  lost_title: { app: 'SELECT INSERT DELETE', reader: '' },
  passkey: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  own_network: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  partner: { app: 'SELECT INSERT UPDATE', reader: 'SELECT' },
  password_reset_request: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  patch: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  rate_limit: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  recovery_code: { app: 'SELECT INSERT DELETE', reader: '' },
  refresh_token: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  saved_filter: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  filter_version: { app: 'SELECT INSERT DELETE', reader: 'SELECT' },
  subscription: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  webhook_delivery: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  bulk_change: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  bulk_changed_device: { app: 'SELECT INSERT DELETE', reader: '' },
  script: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  script_search: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  script_search_block: { app: '', reader: 'SELECT' },
  sealing_key: { app: 'SELECT INSERT DELETE', reader: '' },
  service_secret: { app: '', reader: '' },
  session: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  signing_key: { app: 'SELECT INSERT UPDATE DELETE', reader: '' },
  site: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  // Row locks need an update privilege, so it is on the id.
  software_title: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
  software_version: { app: 'SELECT INSERT UPDATE DELETE', reader: 'SELECT' },
};

type Row = Readonly<Record<string, unknown>>;

interface Reach {
  readonly isSystem: boolean;
  readonly orgIds: ReadonlySet<unknown>;
  /** The partner whose own rows are in reach. */
  readonly partnerId: string | null;
  /** The partners of the organizations in reach. */
  readonly partnerIds: ReadonlySet<unknown>;
}

interface TableRule {
  /** The columns that identify a row. */
  readonly key: readonly string[];
  readonly isVisible: (row: Row, reach: Reach) => boolean;
  /** If some visible rows may not be written. */
  readonly isWritable?: (row: Row, reach: Reach) => boolean;
  /** Whether changes skip visible rows that may not be written. Otherwise they are refused. */
  readonly isPassedOver?: true;
  /** Whether rows cannot be changed at all. */
  readonly isFixed?: true;
}

const ofOrganization = (row: Row, reach: Reach) => reach.isSystem || reach.orgIds.has(row.org_id);
const ofPartner = (row: Row, { partnerId }: Reach) => partnerId !== null && row.partner_id === partnerId;
const ofOrganizationOrPartner = (row: Row, reach: Reach) =>
  ofOrganization(row, reach) || ofPartner(row, reach);
const forSystem = (_row: Row, reach: Reach) => reach.isSystem;

/** By id. */
let people: ReadonlyMap<unknown, Row>;
const ofPerson = ({ user_id }: Row, reach: Reach) => {
  const person = people.get(user_id) ?? {};
  return ofOrganization(person, reach) || ofPartner(person, reach);
};

/** By id. */
let providers: ReadonlyMap<unknown, Row>;
const ofProvider = ({ provider_id }: Row, reach: Reach) => {
  const provider = providers.get(provider_id) ?? {};
  return ofOrganization(provider, reach) || ofPartner(provider, reach);
};

/** By id. */
let subscriptions: ReadonlyMap<unknown, Row>;

/** What a scope sees and may write, stated independently of the policies. */
const RULES: Readonly<Record<string, TableRule>> = {
  partner: {
    key: ['id'],
    isVisible: ({ id }, reach) => reach.isSystem || reach.partnerId === id || reach.partnerIds.has(id),
    isWritable: forSystem,
  },
  organization: {
    key: ['id'],
    isVisible: ({ id }, reach) => reach.isSystem || reach.orgIds.has(id),
    // A partner makes organizations.
    isWritable: (row, reach) => reach.isSystem || reach.orgIds.has(row.id) || ofPartner(row, reach),
  },
  site: { key: ['id'], isVisible: ofOrganization },
  app_user: {
    key: ['id'],
    isVisible: (row, reach) => ofOrganization(row, reach) || ofPartner(row, reach),
  },
  app_user_organization: { key: ['user_id', 'org_id'], isVisible: ofOrganization },
  // Also keys of others that are narrowed to the organization.
  api_key: { key: ['id'], isVisible: (row, reach) => ofPerson(row, reach) || ofOrganization(row, reach) },
  signing_key: { key: ['kid'], isVisible: forSystem },
  sealing_key: { key: ['key_id'], isVisible: forSystem },
  session: { key: ['id'], isVisible: ofPerson },
  refresh_token: { key: ['token_sha256'], isVisible: forSystem },
  mfa_enrollment: { key: ['user_id'], isVisible: ofPerson },
  recovery_code: { key: ['user_id', 'code_sha256'], isVisible: ofPerson },
  passkey: { key: ['id'], isVisible: ofPerson, isWritable: forSystem },
  identity_provider: {
    key: ['id'],
    isVisible: (row, reach) => ofOrganization(row, reach) || ofPartner(row, reach),
    isWritable: forSystem,
    isPassedOver: true,
  },
  identity_provider_domain: {
    key: ['provider_id', 'domain'],
    isVisible: ofProvider,
    isWritable: forSystem,
    isPassedOver: true,
  },
  federated_identity: {
    key: ['provider_id', 'subject'],
    isVisible: ofPerson,
    isWritable: forSystem,
    isPassedOver: true,
  },
  own_network: { key: ['user_id', 'network'], isVisible: forSystem },
  account_link: { key: ['token_sha256'], isVisible: forSystem },
  password_reset_request: { key: ['id'], isVisible: forSystem },
  rate_limit: { key: ['key'], isVisible: forSystem },
  custom_field: {
    key: ['id'],
    isVisible: (row, reach) =>
      ofOrganization(row, reach) || ofPartner(row, reach) || reach.partnerIds.has(row.partner_id),
    isWritable: (row, reach) => ofOrganization(row, reach) || ofPartner(row, reach),
    isPassedOver: true,
  },
  device: { key: ['id'], isVisible: ofOrganization },
  device_state: { key: ['id'], isVisible: ofOrganization },
  device_names: { key: ['id'], isVisible: ofOrganization },
  device_hardware: { key: ['device_id'], isVisible: ofOrganization },
  device_inventory_id: { key: ['device_id', 'inventory_id'], isVisible: ofOrganization },
  device_known_key: { key: ['device_id', 'kind', 'key'], isVisible: ofOrganization },
  enrolment_key: { key: ['id'], isVisible: ofOrganization },
  device_network: { key: ['device_id', 'position'], isVisible: ofOrganization },
  device_volume: { key: ['device_id', 'position'], isVisible: ofOrganization },
  device_software: { key: ['device_id'], isVisible: ofOrganization },
  software_title: { key: ['id'], isVisible: () => true, isFixed: true },
  software_version: { key: ['id'], isVisible: () => true, isFixed: true },
  organization_software: { key: ['title_id', 'org_id'], isVisible: ofOrganization },
  organization_titles: { key: ['org_id'], isVisible: ofOrganization },
  lost_title: {
    key: ['id'],
    isFixed: true,
    isVisible: ofOrganization,
    // A lost title may belong to no organization.
    isWritable: (row, reach) => ofOrganization(row, reach) || row.org_id === null,
  },
  patch: { key: ['id'], isVisible: ofOrganization },
  script: {
    key: ['id'],
    isVisible: (row, reach) =>
      ofOrganization(row, reach) || ofPartner(row, reach) || reach.partnerIds.has(row.partner_id),
    isWritable: (row, reach) => ofOrganization(row, reach) || ofPartner(row, reach),
  },
  alert: { key: ['id'], isVisible: ofOrganization },
  device_search: { key: ['id'], isVisible: ofOrganization },
  script_search: {
    key: ['id'],
    isVisible: (row, reach) =>
      ofOrganization(row, reach) || ofPartner(row, reach) || reach.partnerIds.has(row.partner_id),
    isWritable: (row, reach) => ofOrganization(row, reach) || ofPartner(row, reach),
  },
  alert_search: { key: ['id'], isVisible: ofOrganization },
  saved_filter: {
    key: ['id'],
    isVisible: (row, reach) => ofOrganizationOrPartner(row, reach) || reach.partnerIds.has(row.partner_id),
    isWritable: ofOrganizationOrPartner,
    isPassedOver: true,
  },
  // A new organization is not in reach of the transaction that adds it.
  live_organization: { key: ['org_id'], isVisible: ofOrganization, isWritable: () => true },
  live_partner: {
    key: ['partner_id'],
    isVisible: (row, reach) =>
      reach.isSystem || ofPartner(row, reach) || reach.partnerIds.has(row.partner_id),
    isWritable: forSystem,
  },
  live_filter: { key: ['filter_id'], isVisible: ofOrganizationOrPartner },
  live_member: { key: ['filter_id', 'device_id'], isVisible: ofOrganizationOrPartner },
  live_change: { key: ['filter_id', 'seq'], isVisible: ofOrganizationOrPartner },
  live_timer: { key: ['filter_id', 'device_id'], isVisible: ofOrganizationOrPartner },
  // A device may move to an organization that is out of reach.
  live_mark: { key: ['id'], isFixed: true, isVisible: ofOrganization, isWritable: () => true },
  filter_version: { key: ['filter_id', 'version'], isVisible: ofOrganization },
  subscription: {
    key: ['id'],
    isVisible: (row, reach) => ofOrganizationOrPartner(row, reach) || reach.partnerIds.has(row.partner_id),
    isWritable: ofOrganizationOrPartner,
    isPassedOver: true,
  },
  webhook_delivery: {
    key: ['id'],
    isVisible: (row, reach) => ofOrganizationOrPartner(subscriptions.get(row.subscription_id) ?? {}, reach),
  },
  bulk_change: { key: ['id', 'org_id'], isVisible: ofOrganization },
  bulk_changed_device: { key: ['bulk_change_id', 'device_id'], isVisible: ofOrganization },
  account_deletion_request: {
    key: ['id'],
    isVisible: (row, reach) => ofOrganization(row, reach) || (row.org_id === null && ofPartner(row, reach)),
  },
  audit_log: {
    key: ['id'],
    isVisible: (row, reach) => ofOrganization(row, reach) || (row.org_id === null && ofPartner(row, reach)),
    // Any scope may add entries.
    isWritable: () => true,
  },
  // Any scope may queue mail.
  mail_outbox: { key: ['id'], isVisible: forSystem, isWritable: () => true },
};

const TENANT_TABLES = Object.keys(RULES);
const SCOPED_TABLES = SCOPE_NAMES.flatMap((scope) => TENANT_TABLES.map((table) => [scope, table] as const));

let world: PostgresWorld;
let tenants: TwoTenants;
/** Kept open for thousands of small statements. Changes of a session use another connection. */
let sessions: Readonly<Record<WorldRole, Client>>;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  tenants = await loadTwoTenants(world);
  const open = (role: WorldRole) => new Client(world.connection(role));
  sessions = { owner: open('owner'), app: open('app'), reader: open('reader') };
  await Promise.all(Object.values(sessions).map((client) => client.connect()));
  providers = new Map((await rowsOf('identity_provider')).map((row) => [row.id, row]));
  subscriptions = new Map((await rowsOf('subscription')).map((row) => [row.id, row]));
  people = new Map((await rowsOf('app_user')).map((row) => [row.id, row]));
});

afterAll(async () => {
  await Promise.all(Object.values(sessions).map((client) => client.end()));
  await world.close();
});

describe('the catalogue', () => {
  test('has every table under forced row-level security, with a policy', async () => {
    expect(await findUnguardedTables()).toStrictEqual([]);
  });

  test('fails the check if a new table lacks row-level security, its force or a policy', async () => {
    await world.connected('owner', async (client) => {
      for (const [added, fault] of [
        ['create table newcomer (id int)', 'newcomer'],
        ['alter table newcomer enable row level security', 'newcomer'],
        ['alter table newcomer force row level security', 'newcomer'],
        ['create policy everybody on newcomer using (true)', null],
        ['alter table newcomer no force row level security', 'newcomer'],
        ['drop table newcomer', null],
      ] as const) {
        await client.query(added);
        expect(await findUnguardedTables()).toStrictEqual(fault === null ? [] : [fault]);
      }
    });
  });

  test('has no view, which would read tables as its owner', async () => {
    expect(await relations(['v', 'm', 'f'])).toStrictEqual([]);
  });

  test('has only tables that have a rule here, are exempt, or are closed to the roles', async () => {
    expect(await relations(['r', 'p'])).toStrictEqual(
      [...TENANT_TABLES, ...EXEMPT_TABLES, ...CLOSED_TABLES, ...EMPTY_TABLES].toSorted(),
    );
  });

  test('grants the roles what they need and no more', async () => {
    const tables = await relations(['r', 'p']);
    const granted: Record<string, { app: string; reader: string }> = {};
    for (const table of tables) {
      granted[table] = { app: await privilegesOf('app', table), reader: await privilegesOf('reader', table) };
    }
    expect(granted).toStrictEqual(GRANTS);
  });
});

describe.each(['app', 'reader'] as const)('the role %s', (role) => {
  test('has no attribute that it does not need, and belongs to no other role', async () => {
    const rows = await world.query(
      role,
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
              exists (select 1 from pg_auth_members where member = r.oid) as belongs
       from pg_roles r where rolname = current_user`,
    );
    expect(rows).toStrictEqual([
      {
        rolsuper: false,
        // The owner is a superuser here and may exempt the reader, which its grants restrict.
        rolbypassrls: role === 'reader',
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        belongs: false,
      },
    ]);
  });

  test('owns nothing', async () => {
    const owned = await world.query(
      'owner',
      `select classid::regclass::text, objid from pg_shdepend
       where deptype = 'o' and refobjid = (select oid from pg_roles where rolname = current_database() || $1)`,
      [`_${role}`],
    );
    expect(owned).toStrictEqual([]);
  });

  test.each([
    'create table public.mine (id int)',
    'create schema mine',
    'create extension hstore',
    'create function public.f() returns int language sql as $$ select 1 $$',
    'create view public.v as select 1',
    'create index on device (tags)',
    'create policy mine on device using (true)',
    'alter table device disable row level security',
    'alter table device no force row level security',
    'alter table device add column mine int',
    'alter table device owner to current_user',
    'alter role current_user superuser',
    'alter role current_user bypassrls',
    'create role mine',
    'drop table audit_log',
    'drop policy tenant on device',
    'comment on table device is null',
    'reindex table device',
    'lock table audit_log in access exclusive mode',
    `copy device to program 'true'`,
    `copy device from '/dev/null'`,
    `select pg_read_file('postgresql.conf')`,
    'select * from pg_authid',
    'select * from service_secret',
    'insert into service_secret values (1, 1)',
    'insert into mikro_orm_migrations (name) values (1)',
    ...Object.keys(GRANTS).map((table) => `truncate ${table} cascade`),
  ])('may not: %s', async (sql) => {
    expect(await outcomeOf(role, null, sql)).toBe('42501');
  });

  test.each(['set role', 'set session authorization'])(
    'cannot become another role by %s',
    async (statement) => {
      const others = [
        ...(await world.query<{ name: string }>('owner', 'select current_user as name')),
        { name: 'pg_read_all_data' },
        { name: 'pg_database_owner' },
      ];
      for (const { name } of others) {
        expect(await outcomeOf(role, null, `${statement} "${name}"`)).toBe('42501');
      }
    },
  );
});

describe('a session without a scope', () => {
  test.each(TENANT_TABLES)('sees no row of %s', async (table) => {
    expect(await world.query('owner', `select 1 from ${table} limit 1`)).toHaveLength(1);
    expect(await world.query('app', `select 1 from ${table}`)).toStrictEqual([]);
  });

  test.each(TENANT_TABLES)('sees no row of %s after a transaction with a scope', async (table) => {
    await world.connected('app', async (client) => {
      const inside = await within(client, tenants.scopes.system, () =>
        client.query(`select 1 from ${table}`),
      );
      expect(inside.rowCount).toBeGreaterThan(0);
      const { rows } = await client.query(
        `select current_setting('app.scope') as scope, current_setting('app.org_ids') as org_ids,
                current_setting('app.partner_id') as partner_id`,
      );
      expect(rows).toStrictEqual([{ scope: '', org_ids: '', partner_id: '' }]);
      expect((await client.query(`select 1 from ${table}`)).rows).toStrictEqual([]);
    });
  });

  test.each([
    ['reset role', 0],
    ['reset session authorization', 0],
    ['set row_security = on', 0],
    ['set row_security = off', '42501'],
    ['set search_path = pg_catalog, public', 0],
    [`set app.scope = 'nonsense'`, 0],
    [`set app.org_ids = ''`, 0],
    [`set app.scope = ''`, 0],
  ])('gains nothing by: %s', async (statement, outcome) => {
    await world.connected('app', async (client) => {
      await client.query(statement);
      expect(await attempt(client, 'select 1 from device')).toBe(outcome);
    });
  });

  test('can add an audit entry, but cannot change or delete one', async () => {
    const [row] = await rowsOf('audit_log');
    const forged = { ...row, id: tenants.a };
    expect(await outcomeOf('app', null, insertStatement('audit_log', forged), [JSON.stringify(forged)])).toBe(
      1,
    );
    expect(await outcomeOf('app', null, `update audit_log set action = 'x'`)).toBe('42501');
    expect(await outcomeOf('app', null, 'delete from audit_log')).toBe('42501');
  });
});

describe.each(SCOPED_TABLES)('the scope %s in the table %s', (scopeName, table) => {
  const rule = RULES[table] as TableRule;
  const isWritable = rule.isWritable ?? rule.isVisible;
  const reach = () => reachOf(tenants, tenants.scopes[scopeName]);
  const as = (sql: string, values?: readonly unknown[]) =>
    outcomeOf('app', tenants.scopes[scopeName], sql, values);
  const where = rule.key.map((column, i) => `${column}::text = $${i + 1}::text`).join(' and ');
  const keyOf = (row: Row) => rule.key.map((column) => row[column]);

  test('sees only rows in reach', async () => {
    const expected = (await rowsOf(table)).filter((row) => rule.isVisible(row, reach()));
    const seen = await within(sessions.app, tenants.scopes[scopeName], async () => {
      const { rows } = await sessions.app.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t`);
      return rows.map(({ row }) => row);
    });
    expect(sorted(seen.map(keyOf))).toStrictEqual(sorted(expected.map(keyOf)));
  });

  test('cannot insert a row out of reach', async () => {
    const granted = GRANTS[table]?.app.includes('INSERT');
    for (const row of await rowsOf(table)) {
      const copy = withNewKey(table, row);
      const outcome = await as(insertStatement(table, row), [JSON.stringify(copy)]);
      // A copy in reach may still conflict with its original or refer to nothing.
      if (granted && isWritable(copy, reach())) expect([1, '23505', '23503']).toContain(outcome);
      else expect(outcome).toBe('42501');
    }
  });

  test('cannot change or remove a row out of reach', async () => {
    const grants = GRANTS[table]?.app ?? '';
    for (const row of await rowsOf(table)) {
      if (rule.isVisible(row, reach())) continue;
      const [column] = rule.key;
      expect(await as(`update ${table} set ${column} = ${column} where ${where}`, keyOf(row))).toBe(
        rule.isFixed ? '428C9' : grants.includes('UPDATE') ? 0 : '42501',
      );
      expect(await as(`delete from ${table} where ${where}`, keyOf(row))).toBe(
        grants.includes('DELETE') ? 0 : '42501',
      );
    }
  });

  test('cannot change a row that it may only see, or move a row to another tenant', async () => {
    if (!GRANTS[table]?.app.includes('UPDATE') || scopeName === 'system') return;
    for (const row of await rowsOf(table)) {
      if (!rule.isVisible(row, reach())) continue;
      const [column] = rule.key;
      if (rule.isFixed) {
        expect(await as(`update ${table} set ${column} = ${column} where ${where}`, keyOf(row))).toBe(
          '428C9',
        );
        expect(await as(`delete from ${table} where ${where}`, keyOf(row))).toBe(0);
        continue;
      }
      expect(await as(`update ${table} set ${column} = ${column} where ${where}`, keyOf(row))).toBe(
        isWritable(row, reach()) ? 1 : rule.isPassedOver ? 0 : '42501',
      );
      if (rule.isPassedOver && !isWritable(row, reach())) {
        expect(await as(`delete from ${table} where ${where}`, keyOf(row))).toBe(0);
        continue;
      }
      if (!('org_id' in row) || row.org_id === null) continue;
      const n = rule.key.length + 1;
      expect(await as(`update ${table} set org_id = $${n} where ${where}`, [...keyOf(row), tenants.c])).toBe(
        '42501',
      );
    }
  });
});

describe('the reader', () => {
  test.each(Object.keys(GRANTS))('reads all or nothing of %s, and writes nothing', async (table) => {
    const mayRead = GRANTS[table]?.reader === 'SELECT';
    const total = (await world.query('owner', `select 1 from ${table}`)).length;
    expect(await outcomeOf('reader', null, `select 1 from ${table}`)).toBe(mayRead ? total : '42501');
    expect(await outcomeOf('reader', null, `delete from ${table}`)).toBe('42501');
    expect(await outcomeOf('reader', null, `insert into ${table} default values`)).toBe('42501');
    expect(await outcomeOf('reader', null, `select 1 from ${table} for update`)).toBe('42501');
  });
});

/** Tables that lack row-level security, its force or a policy. */
async function findUnguardedTables(): Promise<readonly string[]> {
  const rows = await world.query<{ name: string }>(
    'owner',
    `select relname as name from pg_class c
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relname = any($1)
       and not (relrowsecurity and relforcerowsecurity
                and exists (select 1 from pg_policy where polrelid = c.oid))
     order by relname`,
    [EXEMPT_TABLES],
  );
  return rows.map(({ name }) => name);
}

async function relations(kinds: readonly string[]): Promise<readonly string[]> {
  const rows = await world.query<{ name: string }>(
    'owner',
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = any($1::"char"[]) order by relname`,
    [kinds],
  );
  return rows.map(({ name }) => name);
}

/** Includes grants on columns. */
async function privilegesOf(role: WorldRole, table: string): Promise<string> {
  const [version] = await world.query<{ number: number }>(
    'owner',
    `select current_setting('server_version_num')::int as number`,
  );
  const known = PRIVILEGES.filter((name) => name !== 'MAINTAIN' || (version?.number ?? 0) >= 170_000);
  const rows = await world.query<{ name: string }>(
    role,
    `select name from unnest($1::text[]) with ordinality as p(name, n)
     where has_table_privilege($2, name)
        or (name in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') and has_any_column_privilege($2, name))
     order by n`,
    [known, table],
  );
  return rows.map(({ name }) => name).join(' ');
}

/** Every row, as a superuser sees it. */
async function rowsOf(table: string): Promise<readonly Row[]> {
  const { rows } = await sessions.owner.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t`);
  expect(rows.length).toBeGreaterThan(0);
  return rows.map(({ row }) => row);
}

function insertStatement(table: string, row: Row): string {
  const columns = Object.keys(row).filter((column) => column !== 'rollout_bucket');
  const overriding = ['software_title', 'software_version', 'lost_title', 'live_mark'].includes(table)
    ? 'overriding system value'
    : '';
  return `insert into ${table} (${columns.join(', ')}) ${overriding}
    select ${columns.join(', ')} from jsonb_populate_record(null::${table}, $1::jsonb)`;
}

function withNewKey(table: string, row: Row): Row {
  if (table === 'lost_title' || table === 'live_mark') return { ...row, id: 1_000_000 };
  if (table === 'software_title') return { ...row, id: 1_000_000, name: 'Forged' };
  if (table === 'software_version') return { ...row, id: -1_000_000, version: 'Forged' };
  if (table === 'signing_key') return { ...row, kid: 'forged' };
  if (table === 'sealing_key') return { ...row, key_id: 'forged' };
  return 'id' in row ? { ...row, id: crypto.randomUUID() } : row;
}

function reachOf({ p, a, b, scopes }: TwoTenants, scope: AccessScope): Reach {
  const isPartner = scope === scopes['partner P'];
  const orgIds = new Set<unknown>(isPartner ? [a, b] : scope === scopes['partner P, but for all'] ? [] : [a]);
  return {
    isSystem: scope.kind === 'system',
    orgIds,
    partnerId: isPartner ? p : null,
    partnerIds: new Set(orgIds.size > 0 ? [p] : []),
  };
}

/** The number of rows that a statement touched, or its SQLSTATE. It is rolled back. */
async function outcomeOf(
  role: WorldRole,
  scope: AccessScope | null,
  sql: string,
  values: readonly unknown[] = [],
): Promise<number | string> {
  return within(sessions[role], scope, () => attempt(sessions[role], sql, values));
}

async function attempt(
  client: Client,
  sql: string,
  values: readonly unknown[] = [],
): Promise<number | string> {
  return client.query(sql, [...values]).then(
    ({ rowCount }) => rowCount ?? 0,
    (error: { code: string }) => error.code,
  );
}

/** Works in a transaction within the scope, and rolls it back. */
async function within<T>(client: Client, scope: AccessScope | null, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  for (const [name, value] of Object.entries(scope === null ? {} : sessionVariables(scope))) {
    await client.query('select set_config($1, $2, true)', [name, value]);
  }
  try {
    return await work();
  } finally {
    await client.query('rollback');
  }
}

function sorted(keys: readonly (readonly unknown[])[]): readonly string[] {
  return keys.map((key) => JSON.stringify(key)).toSorted();
}
