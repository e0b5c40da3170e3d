/** These policies make a partner under maintenance read-only, and let the owner of the database remove it. */
import { escapeIdentifier } from 'pg';
import { MAINTENANCE_POLICY } from '#adapters/postgres/database-error.ts';

/** Tables that are read-only for a partner under maintenance, with the columns that name a row's owner. */
const REFUSED_IN_MAINTENANCE: Readonly<Record<string, readonly string[]>> = {
  partner: ['id'],
  organization: ['id', 'partner_id'],
  site: ['org_id'],
  app_user_organization: ['org_id'],
  enrolment_key: ['org_id'],
  identity_provider: ['org_id', 'partner_id'],
  custom_field: ['org_id', 'partner_id'],
  device: ['org_id'],
  device_state: ['org_id'],
  device_inventory_id: ['org_id'],
  device_known_key: ['org_id'],
  device_hardware: ['org_id'],
  device_network: ['org_id'],
  device_volume: ['org_id'],
  device_software: ['org_id'],
  organization_software: ['org_id'],
  lost_title: ['org_id'],
  patch: ['org_id'],
  script: ['org_id', 'partner_id'],
  alert: ['org_id'],
  saved_filter: ['org_id', 'partner_id'],
  subscription: ['org_id', 'partner_id'],
  account_deletion_request: ['org_id', 'partner_id'],
};

/** Read once per statement, from a table that is nearly always empty. */
const MAINTAINED = '(array(select owner_id from maintenance))';

/**
 * People can delete rows of these tables directly. A trigger refuses that (`schema/functions.ts`), because a
 * policy would skip the rows silently.
 */
const REMOVED_ALONE: ReadonlySet<string> = new Set([
  ...['organization', 'site', 'saved_filter', 'custom_field', 'subscription', 'device', 'identity_provider'],
]);

/**
 * Other deletions need no error: each comes with a change that is refused, so a policy may skip their rows silently.
 */
export function maintenancePolicies(app: string): readonly string[] {
  return Object.entries(REFUSED_IN_MAINTENANCE).flatMap(([table, columns]) => {
    const isFree = columns
      .map((column) => `(${column} is null or ${column} <> all ${MAINTAINED})`)
      .join(' and ');
    const policy = (command: string) =>
      `create policy ${MAINTENANCE_POLICY}_${command} on ${table} as restrictive for ${command} to ${escapeIdentifier(app)}`;
    return [
      `${policy('insert')} with check (${isFree})`,
      `${policy('update')} using (true) with check (${isFree})`,
      ...(REMOVED_ALONE.has(table) ? [] : [`${policy('delete')} using (${isFree})`]),
    ];
  });
}

/**
 * Tables from which the owner of the database can delete a removed partner's rows. Rows that refer to them
 * are deleted by cascade.
 */
const REMOVABLE: Readonly<Record<string, readonly string[]>> = {
  partner: ['id'],
  organization: ['partner_id'],
  site: ['org_id'],
  app_user: ['org_id', 'partner_id'],
  enrolment_key: ['org_id'],
  identity_provider: ['org_id', 'partner_id'],
  api_key: ['org_id'],
  custom_field: ['org_id', 'partner_id'],
  organization_software: ['org_id'],
  organization_titles: ['org_id'],
  device: ['org_id'],
  script: ['org_id', 'partner_id'],
  alert: ['org_id'],
  saved_filter: ['org_id', 'partner_id'],
  live_mark: ['org_id', 'partner_id'],
  account_deletion_request: ['org_id', 'partner_id'],
};

export function removalPolicies(): readonly string[] {
  return [
    'create policy removal on maintenance to current_user using (true)',
    // The sub-select sees only users of partners under maintenance.
    `create policy removal on mail_outbox for select to current_user
     using (exists (select 1 from app_user u where u.id in (user_id, about_user_id)))`,
    'create policy removal on audit_log for insert to current_user with check (true)',
    'create policy removal on lost_title for insert to current_user with check (true)',
    // A trigger subtracts the bytes of names that an organization no longer has, so it reads them.
    ...['software_title', 'software_version'].map(
      (table) => `create policy removal on ${table} for select to current_user using (true)`,
    ),
    ...Object.entries(REMOVABLE).map(([table, columns]) => {
      const isRemovable = columns.map((column) => `${column} = any ${MAINTAINED}`).join(' or ');
      return `create policy removal on ${table} to current_user using (${isRemovable})`;
    }),
  ];
}
