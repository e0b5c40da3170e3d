/**
 * The second check between tenants, after each statement's own `where`. All tables have forced row-level security: a
 * transaction sees only the rows of its scope (`sessionVariables`), and none without a scope.
 *
 * Session variables are read in sub-selects, so PostgreSQL evaluates them once per statement, not once per row.
 */
/** `organization`, `partner` or `system`. Empty, as after a transaction, means no scope. */
const SCOPE = `(select nullif(current_setting('app.scope', true), ''))`;
const IS_SYSTEM = `${SCOPE} = 'system'`;
// Without the outer cast, `any` would read the sub-select as a list of rows.
const ORG_IDS = `(select string_to_array(nullif(current_setting('app.org_ids', true), ''), ','))::uuid[]`;
/** Set only if the scope includes rows that belong to the partner itself. */
const PARTNER_ID = `(select nullif(current_setting('app.partner_id', true), '')::uuid)`;

const OF_ORGANIZATION = `${IS_SYSTEM} or org_id = any(${ORG_IDS})`;
/**
 * A filter of the whole partner can have members in any of its organizations, so only a scope with the whole
 * partner sees its rows.
 */
const OF_ORGANIZATION_OR_WHOLE_PARTNER = `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`;
/** If the whole partner is in reach, its own staff is too. */
const OF_ORGANIZATION_OR_OWN_STAFF = `${OF_ORGANIZATION} or (org_id is null and partner_id = ${PARTNER_ID})`;
/** A partner's rows are visible in each of its organizations. The sub-select sees only organizations in reach. */
const OF_ORGANIZATION_OR_ITS_PARTNER = (table: string) =>
  `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}
   or exists (select 1 from organization o where o.partner_id = ${table}.partner_id)`;

/** The sub-select sees only people in reach. */
const OF_PERSON = `${IS_SYSTEM} or exists (select 1 from app_user u where u.id = user_id)`;

interface TablePolicy {
  readonly grants: string;
  /** Rows that the app role can read, change and delete. */
  readonly using: string;
  /** Rows that the role can write. Default: `using`. */
  readonly check?: string;
  /** Rows that the role can change and delete, if not all of `using`. */
  readonly change?: string;
  /** Rows that the role can delete, if not all of `change`. */
  readonly remove?: string;
}

export const TABLE_POLICIES: Readonly<Record<string, TablePolicy>> = {
  partner: {
    grants: 'select, insert, update',
    using: `${IS_SYSTEM} or id = ${PARTNER_ID} or exists (select 1 from organization o where o.partner_id = partner.id)`,
    check: IS_SYSTEM,
  },
  organization: {
    grants: 'select, insert, update, delete',
    using: `${IS_SYSTEM} or id = any(${ORG_IDS})`,
    check: `${IS_SYSTEM} or id = any(${ORG_IDS}) or partner_id = ${PARTNER_ID}`,
  },
  site: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  app_user: {
    grants: 'select, insert, update',
    using: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
  },
  app_user_organization: { grants: 'select, insert, delete', using: OF_ORGANIZATION },
  // Includes keys that are limited to the organization but belong to other tenants' users.
  api_key: {
    grants: 'select, insert, update, delete',
    using: `${OF_PERSON} or org_id = any(${ORG_IDS})`,
  },
  enrolment_key: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  signing_key: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  sealing_key: { grants: 'select, insert, delete', using: IS_SYSTEM },
  // Administrators see where people in reach are signed in.
  session: { grants: 'select, insert, update, delete', using: OF_PERSON },
  refresh_token: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  mfa_enrollment: { grants: 'select, insert, update, delete', using: OF_PERSON },
  recovery_code: { grants: 'select, insert, delete', using: OF_PERSON },
  // An administrator's reset deletes passkeys. Only the service itself adds them.
  passkey: { grants: 'select, insert, update, delete', using: OF_PERSON, check: IS_SYSTEM },
  // Administrators see providers. The service changes them, after checking the caller's rights.
  identity_provider: {
    grants: 'select, insert, update, delete',
    using: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
    check: IS_SYSTEM,
    change: IS_SYSTEM,
  },
  identity_provider_domain: {
    grants: 'select, insert, update, delete',
    using: `${IS_SYSTEM} or exists (select 1 from identity_provider i where i.id = provider_id)`,
    check: IS_SYSTEM,
    change: IS_SYSTEM,
  },
  federated_identity: {
    grants: 'select, insert, update, delete',
    using: OF_PERSON,
    check: IS_SYSTEM,
    change: IS_SYSTEM,
  },
  own_network: {
    grants: 'select, insert, update, delete',
    using: OF_PERSON,
    check: IS_SYSTEM,
    change: IS_SYSTEM,
  },
  account_link: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
  password_reset_request: { grants: 'select, insert, update, delete', using: IS_SYSTEM },
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
  hearing: { grants: 'select, insert, update', using: IS_SYSTEM },
  device_inventory_id: { grants: 'select, insert, update', using: OF_ORGANIZATION },
  device_known_key: { grants: 'select, insert, update', using: OF_ORGANIZATION },
  device_hardware: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_network: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_volume: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  device_software: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  // Names and versions of products, which all tenants share. Row locks need an update privilege. It covers
  // only the id, which cannot change.
  software_title: {
    grants: 'select, insert, update (id), delete',
    using: `${SCOPE} is not null`,
    remove: IS_SYSTEM,
  },
  software_version: {
    grants: 'select, insert, update (id), delete',
    using: `${SCOPE} is not null`,
    remove: IS_SYSTEM,
  },
  organization_software: { grants: 'select, insert, delete', using: OF_ORGANIZATION },
  organization_titles: { grants: 'select, insert, update', using: OF_ORGANIZATION },
  lost_title: {
    grants: 'select, insert, delete',
    using: OF_ORGANIZATION,
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
  saved_filter: {
    grants: 'select, insert, update, delete',
    using: OF_ORGANIZATION_OR_ITS_PARTNER('saved_filter'),
    check: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
    change: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
  },
  live_partner: {
    grants: 'select, insert, update',
    using: `${IS_SYSTEM} or exists (select 1 from organization o where o.partner_id = live_partner.partner_id)
      or partner_id = ${PARTNER_ID}`,
    check: IS_SYSTEM,
  },
  // A new organization is not yet in reach of the transaction that adds it.
  live_organization: {
    grants: 'select, insert, update, delete',
    using: OF_ORGANIZATION,
    check: `${SCOPE} is not null`,
  },
  live_filter: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION_OR_WHOLE_PARTNER },
  live_member: { grants: 'select, insert, delete', using: OF_ORGANIZATION_OR_WHOLE_PARTNER },
  live_change: { grants: 'select, insert, delete', using: OF_ORGANIZATION_OR_WHOLE_PARTNER },
  live_timer: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION_OR_WHOLE_PARTNER },
  // Evaluations delete marks. A device may move to an organization that is out of reach, so any scope may
  // insert a mark.
  live_mark: {
    grants: 'select, insert, delete',
    using: OF_ORGANIZATION,
    check: `${SCOPE} is not null`,
  },
  filter_version: {
    grants: 'select, insert, delete',
    using: OF_ORGANIZATION_OR_ITS_PARTNER('filter_version'),
    check: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
    change: `${OF_ORGANIZATION} or partner_id = ${PARTNER_ID}`,
  },
  subscription: {
    grants: 'select, insert, update, delete',
    using: OF_ORGANIZATION_OR_ITS_PARTNER('subscription'),
    check: OF_ORGANIZATION_OR_WHOLE_PARTNER,
    change: OF_ORGANIZATION_OR_WHOLE_PARTNER,
  },
  webhook_delivery: {
    grants: 'select, insert, update, delete',
    using: `${IS_SYSTEM} or exists (
      select from subscription s
      where s.id = subscription_id and (s.org_id = any(${ORG_IDS}) or s.partner_id = ${PARTNER_ID}))`,
  },
  bulk_change: { grants: 'select, insert, update, delete', using: OF_ORGANIZATION },
  bulk_changed_device: { grants: 'select, insert, delete', using: OF_ORGANIZATION },
  account_deletion_request: { grants: 'select, insert, update', using: OF_ORGANIZATION_OR_OWN_STAFF },
  // Every change reads this table, so each scope may see its own rows.
  maintenance: {
    grants: 'select, insert, delete',
    using: `${IS_SYSTEM} or owner_id = any(${ORG_IDS}) or owner_id = ${PARTNER_ID}`,
    check: IS_SYSTEM,
    change: IS_SYSTEM,
  },
  // Any scope may add entries, even of several tenants in one statement. Nobody may change them.
  audit_log: {
    grants: 'select, insert',
    using: OF_ORGANIZATION_OR_OWN_STAFF,
    check: 'true',
  },
  mail_outbox: { grants: 'select, insert, update', using: IS_SYSTEM, check: `${SCOPE} is not null` },
};

/** Tables that only the owner can write and the app role cannot read. */
export const OWNER_TABLES: readonly string[] = [
  'service_secret',
  // Search blocks hold titles of all tenants. Only triggers write them, and only searches read them.
  'device_search_block',
  'script_search_block',
  'alert_search_block',
  'initial_load',
];

/** Tables that the reader role reads. It runs only `ScopedStatement`s, each of which is limited to a scope. */
export const READER_TABLES: readonly string[] = [
  'partner',
  'device',
  'device_state',
  'device_names',
  'device_known_key',
  'device_hardware',
  'device_network',
  'device_volume',
  'device_software',
  'software_title',
  'software_version',
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
  'filter_version',
  'custom_field',
];
