/**
 * The second wall between tenants: every table is under forced row-level security, and what a transaction may see
 * follows from the scope that it was begun with (`session-scope.ts`). No scope, no rows.
 *
 * The settings are read in sub-selects, so that PostgreSQL reads them once for a statement and not for every row.
 */

/** `app.scope` is one of organization, partner, system; empty (as after a transaction) is none. */
const SCOPE = `(select nullif(current_setting('app.scope', true), ''))`;
const IS_SYSTEM = `${SCOPE} = 'system'`;
// The cast stands outside, or `any` would take the sub-select for a list of rows.
const ORG_IDS = `(select string_to_array(nullif(current_setting('app.org_ids', true), ''), ','))::uuid[]`;
/** Set only where the partner's own things are in reach. */
const PARTNER_ID = `(select nullif(current_setting('app.partner_id', true), '')::uuid)`;

const OF_ORGANIZATION = `${IS_SYSTEM} or org_id = any(${ORG_IDS})`;
/** Of an organization, or where it is of none, of the staff of the partner whose own things are in reach. */
const OF_ORGANIZATION_OR_OWN_STAFF = `${OF_ORGANIZATION} or (org_id is null and partner_id = ${PARTNER_ID})`;
/** What a partner owns is seen in each of its organizations: those that the caller reaches are visible here. */
const OF_ORGANIZATION_OR_ITS_PARTNER = (table: string) =>
  `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}
   or exists (select 1 from organization o where o.partner_id = ${table}.partner_id)`;

/** What the service's own role may do with a table, and which rows it sees and writes. */
interface TablePolicy {
  readonly grants: string;
  /** Rows that can be read, changed and removed. */
  readonly using: string;
  /** Rows that can be written, where that is not the same. */
  readonly check?: string;
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
  signing_key: { grants: 'select, insert, delete', using: IS_SYSTEM },
  // Whoever signs in has no tenant yet.
  session: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  refresh_token: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  mfa_enrollment: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  recovery_code: { grants: 'select, insert, delete', using: IS_SYSTEM },
  rate_limit: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  custom_field: {
    grants: 'select, insert, update, delete',
    using: OF_ORGANIZATION_OR_ITS_PARTNER('custom_field'),
    check: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
  },
  device: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_hardware: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_network: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_software: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  // Names of products, common to all tenants: which device has one is in device_software.
  software_title: { grants: 'select, insert', using: `${SCOPE} is not null` },
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
  // Anybody may go on record, also together with others in one statement; nobody may change the record.
  audit_log: {
    grants: 'select, insert',
    using: OF_ORGANIZATION_OR_OWN_STAFF,
    check: 'true',
  },
  // Whoever changes something may have mail sent about it; only the service itself looks into the outbox.
  mail_outbox: { grants: 'select, insert, update', using: IS_SYSTEM, check: `${SCOPE} is not null` },
};

/** Tables that belong to the owner alone: nobody writes them but the owner, and none but hot reads look into them. */
export const OWNER_TABLES: readonly string[] = [
  'service_secret',
  // Beginnings of titles of all tenants, kept by triggers; searches alone look into them.
  'device_search_head',
  'script_search_head',
  'alert_search_head',
];

/** Tables that the reader role may select from. It runs nothing but a `ScopedStatement`, which carries its scope. */
export const READER_TABLES: readonly string[] = [
  'device',
  'device_hardware',
  'device_network',
  'device_software',
  'software_title',
  'device_search',
  'device_search_head',
  'script',
  'script_search',
  'script_search_head',
  'alert',
  'alert_search',
  'alert_search_head',
  'organization',
  'saved_filter',
  'custom_field',
];

export interface ServiceRoles {
  /** Works under the policies. */
  readonly app: string;
  /** Reads the hot tables, exempt from the policies. */
  readonly reader: string;
}

/**
 * The statements that put policies and grants in place, whatever was there before. To be run by the owner, in one
 * transaction, after every migration.
 */
export function securityStatements({ app, reader }: ServiceRoles): readonly string[] {
  const statements: string[] = [];
  for (const [table, { grants, using, check }] of Object.entries(TABLE_POLICIES)) {
    statements.push(
      ...closeTable(table, [app, reader]),
      `grant ${grants} on ${table} to ${quote(app)}`,
      `create policy tenant on ${table} to ${quote(app)} using (${using}) with check (${check ?? using})`,
    );
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
  statements.push(`grant select on mikro_orm_migrations to ${quote(app)}`);
  return statements;
}

/** Takes away every policy and grant, and turns row-level security on, for the table's owner as well. */
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
