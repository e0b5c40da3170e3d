/** Erases a person from every table that holds something of theirs; a test walks the schema for what is left. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '#application/ports/clock.ts';
import type { UserId } from '#domain/ids.ts';
import { withdrawMail } from './mail-outbox.ts';

/** Within the system scope; see `AccountEraser`. */
export async function eraseAccount(em: EntityManager, userId: UserId, clock: Clock): Promise<void> {
  const now = clock();
  // The row first: whoever holds it is waited for, and finds the account gone afterwards.
  await em.execute(
    `update app_user
     set email = '', email_lc = '', name = '', password_hash = null, permissions = '{}', is_platform_admin = false,
         totp_secret = null, last_totp_step = null, status = 'deleted', auth_epoch = auth_epoch + 1,
         mfa_epoch = mfa_epoch + 1, updated_at = ?
     where id = ? and status <> 'deleted'`,
    [new Date(now), userId],
  );
  for (const table of TABLES_OF_A_PERSON)
    await em.execute(`delete from ${table} where user_id = ?`, [userId]);
  await em.execute(
    `update account_deletion_request set reason = null, admin_note = null
     where user_id = ? and num_nonnulls(reason, admin_note) > 0`,
    [userId],
  );
  await withdrawMail(em, userId, now);
}

/** Nothing of these is left; refresh tokens go with their sessions. */
const TABLES_OF_A_PERSON = ['session', 'mfa_enrollment', 'recovery_code', 'api_key', 'app_user_organization'];
