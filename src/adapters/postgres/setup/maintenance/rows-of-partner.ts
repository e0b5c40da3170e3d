/** SQL for what belongs to the partner $1. */

/** Its organizations. */
export const ORGANIZATIONS = '(select id from organization where partner_id = $1)';

/** Its users, and those of its organizations. */
export const USERS = `(select id from app_user where partner_id = $1 or org_id in ${ORGANIZATIONS})`;

/** How many mails to or about them wait. */
export const WAITING_MAILS = `select count(*)::int from mail_outbox
  where status = 'queued' and (user_id in ${USERS} or about_user_id in ${USERS})`;
