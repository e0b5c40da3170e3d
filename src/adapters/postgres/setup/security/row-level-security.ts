/**
 * The second check between tenants, after each statement's own predicate: every table is under forced row-level
 * security, and the scope that a transaction begins with (`session-scope.ts`) decides which rows it sees. No scope,
 * no rows.
 *
 * The session variables are read in sub-selects, so that PostgreSQL evaluates them once per statement, not per row.
 */
import { MAINTENANCE_POLICY } from '#adapters/postgres/database-error.ts';

/** `app.scope` is organization, partner or system; empty, as it is after a transaction, means no scope. */
const SCOPE = `(select nullif(current_setting('app.scope', true), ''))`;
const IS_SYSTEM = `${SCOPE} = 'system'`;
// The cast is outside, or `any` would read the sub-select as a list of rows.
const ORG_IDS = `(select string_to_array(nullif(current_setting('app.org_ids', true), ''), ','))::uuid[]`;
/** Set only if what the partner itself owns is in reach. */
const PARTNER_ID = `(select nullif(current_setting('app.partner_id', true), '')::uuid)`;

const OF_ORGANIZATION = `${IS_SYSTEM} or org_id = any(${ORG_IDS})`;
/** Of an organization, or of no organization and of the staff of a partner that is in reach as a whole. */
const OF_ORGANIZATION_OR_OWN_STAFF = `${OF_ORGANIZATION} or (org_id is null and partner_id = ${PARTNER_ID})`;
/** A partner's rows are visible in each of its organizations; the sub-select sees those that the caller reaches. */
const OF_ORGANIZATION_OR_ITS_PARTNER = (table: string) =>
  `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}
   or exists (select 1 from organization o where o.partner_id = ${table}.partner_id)`;

/** What the app role may do with a table, and which rows it sees and writes. */
interface TablePolicy {
  readonly grants: string;
  /** Rows that it can read, change and remove. */
  readonly using: string;
  /** Rows that it can write; the same unless set. */
  readonly check?: string;
  /** Rows that it can change and remove, where these are fewer than it can read. */
  readonly change?: string;
  /** Rows that it can remove, where these are fewer than it can change. */
  readonly remove?: string;
}

export const TABLE_POLICIES: Readonly<Record<string, TablePolicy>> = {
  partner: {
    grants: 'select, insert, update',
    using: `${IS_SYSTEM} or id = ${PARTNER_ID} or exists (select 1 from organization o where o.partner_id = partner.id)`,
    check: IS_SYSTEM,
  },
  organization: {
    grants: 'select, insert, update',
    using: `${IS_SYSTEM} or id = any(${ORG_IDS})`,
    check: IS_SYSTEM,
  },
  site: { grants: 'select, insert, update', using: OF_ORGANIZATION },
  app_user: {
    grants: 'select, insert, update',
    using: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
    check: IS_SYSTEM,
  },
  app_user_organization: {
    grants: 'select, insert, delete',
    using: OF_ORGANIZATION,
    check: IS_SYSTEM,
  },
  api_key: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  enrolment_key: { grants: 'select, insert, update', using: OF_ORGANIZATION },
  signing_key: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  sealing_key: { grants: 'select, insert, delete', using: IS_SYSTEM },
  // Nobody has a tenant before signing in.
  session: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  refresh_token: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  mfa_enrollment: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  recovery_code: { grants: 'select, insert, delete', using: IS_SYSTEM },
  own_network: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  rate_limit: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  custom_field: {
    grants: 'select, insert, update, delete',
    using: OF_ORGANIZATION_OR_ITS_PARTNER('custom_field'),
    check: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
    change: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
  },
  device: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_state: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_names: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_inventory_id: { grants: 'select, insert, update', using: OF_ORGANIZATION },
  device_hardware: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_network: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_software: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  // Names of products, shared by all tenants; the other two say which device and which organization has one.
  // Locking a title needs the right to update something: its id cannot be changed.
  software_title: {
    grants: 'select, insert, update (id), delete',
    using: `${SCOPE} is not null`,
    remove: IS_SYSTEM,
  },
  organization_software: { grants: 'select, insert, delete', using: OF_ORGANIZATION },
  organization_titles: { grants: 'select, insert, update', using: OF_ORGANIZATION },
  lost_title: {
    grants: 'select, insert, delete',
    using: OF_ORGANIZATION,
    // Titles that an organization has lost may be those of nobody.
    check: `${OF_ORGANIZATION} or org_id is null`,
  },
  patch: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  script: {
    grants: 'select, insert, update, delete',
    using: OF_ORGANIZATION_OR_ITS_PARTNER('script'),
    check: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
  },
  alert: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_search: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  script_search: {
    grants: 'select, insert, update, delete',
    using: OF_ORGANIZATION_OR_ITS_PARTNER('script_search'),
    check: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
  },
  alert_search: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  saved_filter: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  account_deletion_request: { grants: 'select, insert, update', using: OF_ORGANIZATION_OR_OWN_STAFF },
  // Ids of partners and organizations in maintenance, which every change asks for as far as its scope reaches.
  maintenance: {
    grants: 'select, insert, delete',
    using: `${IS_SYSTEM} or owner_id = any(${ORG_IDS}) or owner_id = ${PARTNER_ID}`,
    check: IS_SYSTEM,
    change: IS_SYSTEM,
  },
  // Anybody may add entries, also those of several tenants in one statement; nobody may change one.
  audit_log: {
    grants: 'select, insert',
    using: OF_ORGANIZATION_OR_OWN_STAFF,
    check: 'true',
  },
  // Any change may queue mail; only the service itself reads the outbox.
  mail_outbox: { grants: 'select, insert, update', using: IS_SYSTEM, check: `${SCOPE} is not null` },
};

/** The columns that say whose a row is, where nothing of a partner under maintenance is written. */
const REFUSED_IN_MAINTENANCE: Readonly<Record<string, readonly string[]>> = {
  partner: ['id'],
  organization: ['id', 'partner_id'],
  site: ['org_id'],
  app_user_organization: ['org_id'],
  enrolment_key: ['org_id'],
  custom_field: ['org_id', 'partner_id'],
  device: ['org_id'],
  device_inventory_id: ['org_id'],
  device_hardware: ['org_id'],
  device_network: ['org_id'],
  device_software: ['org_id'],
  organization_software: ['org_id'],
  lost_title: ['org_id'],
  patch: ['org_id'],
  script: ['org_id', 'partner_id'],
  alert: ['org_id'],
  saved_filter: ['org_id'],
  account_deletion_request: ['org_id', 'partner_id'],
};

/** Read once a statement, from a table that is nearly always empty. */
const MAINTAINED = '(array(select owner_id from maintenance))';

/** Removed by themselves, which a trigger refuses (`schema/functions.ts`): a policy would pass over them. */
const REMOVED_ALONE: ReadonlySet<string> = new Set(['saved_filter', 'custom_field']);

/** Other removals are passed over, and no error: with each goes a change of a row that is refused. */
function maintenancePolicies(app: string): readonly string[] {
  return Object.entries(REFUSED_IN_MAINTENANCE).flatMap(([table, columns]) => {
    const isFree = columns
      .map((column) => `(${column} is null or ${column} <> all ${MAINTAINED})`)
      .join(' and ');
    const policy = (command: string) =>
      `create policy ${MAINTENANCE_POLICY}_${command} on ${table} as restrictive for ${command} to ${quote(app)}`;
    return [
      `${policy('insert')} with check (${isFree})`,
      `${policy('update')} using (true) with check (${isFree})`,
      ...(REMOVED_ALONE.has(table) ? [] : [`${policy('delete')} using (${isFree})`]),
    ];
  });
}

/**
 * What the owner sees to remove a partner: of partners in maintenance, which is the guard. The rest goes with these rows.
 */
const REMOVABLE: Readonly<Record<string, readonly string[]>> = {
  partner: ['id'],
  organization: ['partner_id'],
  site: ['org_id'],
  app_user: ['org_id', 'partner_id'],
  enrolment_key: ['org_id'],
  api_key: ['org_id'],
  custom_field: ['org_id', 'partner_id'],
  organization_software: ['org_id'],
  organization_titles: ['org_id'],
  device: ['org_id'],
  script: ['org_id', 'partner_id'],
  alert: ['org_id'],
  saved_filter: ['org_id'],
  account_deletion_request: ['org_id', 'partner_id'],
};

function removalPolicies(): readonly string[] {
  return [
    'create policy removal on maintenance to current_user using (true)',
    // Of users in maintenance, whom the sub-select sees alone.
    `create policy removal on mail_outbox for select to current_user
     using (exists (select 1 from app_user u where u.id in (user_id, about_user_id)))`,
    'create policy removal on audit_log for insert to current_user with check (true)',
    'create policy removal on lost_title for insert to current_user with check (true)',
    ...Object.entries(REMOVABLE).map(([table, columns]) => {
      const isRemovable = columns.map((column) => `${column} = any ${MAINTAINED}`).join(' or ');
      return `create policy removal on ${table} to current_user using (${isRemovable})`;
    }),
  ];
}

/** Tables that only their owner writes; the app role may not even read them. */
export const OWNER_TABLES: readonly string[] = [
  'service_secret',
  // Blocks of titles of all tenants, maintained by triggers and read by searches only.
  'device_search_block',
  'script_search_block',
  'alert_search_block',
  // What a load has put off.
  'initial_load',
];

/** Functions of the owner that the app role may call. */
const APP_FUNCTIONS: readonly string[] = ['begin_initial_load', 'end_initial_load'];

/** Tables that the reader role may select from. It runs nothing but a `ScopedStatement`, which carries its scope. */
export const READER_TABLES: readonly string[] = [
  'partner',
  'device',
  'device_state',
  'device_names',
  'device_hardware',
  'device_network',
  'device_software',
  'software_title',
  'organization_software',
  'patch',
  'device_search',
  'device_search_block',
  'script',
  'script_search',
  'script_search_block',
  'alert',
  'alert_search',
  'alert_search_block',
  'organization',
  'site',
  'saved_filter',
  'custom_field',
];

export interface ServiceRoles {
  /** Is subject to the policies. */
  readonly app: string;
  /** Reads `READER_TABLES`, exempt from the policies. */
  readonly reader: string;
}

/**
 * The statements that put policies and grants in place, replacing any that exist. The owner runs them in one
 * transaction, when all tables are there.
 */
export function securityStatements({ app, reader }: ServiceRoles): readonly string[] {
  const statements: string[] = [];
  for (const [table, policy] of Object.entries(TABLE_POLICIES)) {
    const { grants, using, check, change, remove = change } = policy;
    statements.push(
      ...closeTable(table, [app, reader]),
      `grant ${grants} on ${table} to ${quote(app)}`,
      `create policy tenant on ${table} to ${quote(app)} using (${using}) with check (${check ?? using})`,
    );
    for (const [command, rows] of Object.entries({ update: change, delete: remove })) {
      if (rows === undefined) continue;
      statements.push(
        `create policy tenant_${command} on ${table} as restrictive for ${command} to ${quote(app)} using (${rows})`,
      );
    }
  }
  for (const table of OWNER_TABLES) {
    statements.push(
      ...closeTable(table, [app, reader]),
      `create policy owner_only on ${table} to current_user using (true)`,
    );
  }
  for (const table of READER_TABLES) {
    statements.push(
      `grant select on ${table} to ${quote(reader)}`,
      `create policy reader on ${table} for select to ${quote(reader)} using (true)`,
    );
  }
  statements.push(...maintenancePolicies(app), ...removalPolicies());
  statements.push(`grant select on mikro_orm_migrations to ${quote(app)}`);
  for (const name of APP_FUNCTIONS) statements.push(`grant execute on function ${name} to ${quote(app)}`);
  return statements;
}

/** Removes every policy and grant, and turns row-level security on, for the table's owner as well. */
function closeTable(table: string, roles: readonly string[]): readonly string[] {
  return [
    `do $$ declare p record; begin
       for p in select policyname from pg_policies where schemaname = current_schema() and tablename = '${table}' loop
         execute format('drop policy %I on ${table}', p.policyname);
       end loop;
     end $$`,
    `revoke all on ${table} from public, ${roles.map(quote).join(', ')}`,
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
  ];
}

function quote(role: string): string {
  return `"${role.replaceAll('"', '""')}"`;
}
