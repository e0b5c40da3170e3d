/** Removes a partner that has moved elsewhere. Only the owner of the database may do this. */
import { recordChange } from '#adapters/postgres/audit-insert.ts';
import { asOwner, type ConnectionOptions } from '#adapters/postgres/setup/connections/connection-config.ts';
import type { PartnerMaintenance } from '#application/ports/partner-maintenance.ts';

export const ORGANIZATIONS = '(select id from organization where partner_id = $1)';

export const USERS = `(select id from app_user where partner_id = $1 or org_id in ${ORGANIZATIONS})`;

export const WAITING_MAILS = `select count(*)::int from mail_outbox
  where status = 'queued' and (user_id in ${USERS} or about_user_id in ${USERS})`;

/** Rows that refer to the deleted rows are deleted by cascade. */
const REMOVALS: readonly string[] = [
  `delete from account_deletion_request where org_id in ${ORGANIZATIONS} or partner_id = $1`,
  ...['alert', 'enrolment_key', 'api_key', 'device', 'organization_software', 'live_mark'].map(
    (table) => `delete from ${table} where org_id in ${ORGANIZATIONS}`,
  ),
  ...['saved_filter', 'script', 'custom_field', 'app_user'].map(
    (table) => `delete from ${table} where org_id in ${ORGANIZATIONS} or partner_id = $1`,
  ),
  `delete from site where org_id in ${ORGANIZATIONS}`,
  'delete from organization where partner_id = $1',
  'delete from live_mark where partner_id = $1',
];

/** `url` is the owner's connection string. Policies show the owner only rows of partners under maintenance. */
export function makeRemovePartner(
  url: string,
  by: Pick<ConnectionOptions, 'isPooled'> = {},
): PartnerMaintenance['remove'] {
  return (partnerId, makeEntry) =>
    asOwner(url, { ...by, applicationName: 'fleetsift remove partner' }, async (owner) => {
      await owner.query('begin');
      const { rowCount } = await owner.query('select 1 from maintenance where owner_id = $1 for update', [
        partnerId,
      ]);
      if (rowCount === 0) return 'not-in-maintenance';
      const { rows: mails } = await owner.query<{ count: number }>(WAITING_MAILS, [partnerId]);
      if (mails[0]?.count !== 0) return 'mails-waiting';
      for (const statement of REMOVALS) await owner.query(statement, [partnerId]);
      await owner.query('delete from partner where id = $1', [partnerId]);
      await recordChange(owner, makeEntry());
      await owner.query('commit');
      return null;
    });
}
