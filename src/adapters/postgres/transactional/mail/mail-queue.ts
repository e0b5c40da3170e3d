/** Queues mail within a transaction, and withdraws an erased person's mail. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { MailRow, toMailRow } from '#adapters/postgres/transactional/entities/mail-row.ts';
import type { MailId, UserId } from '#domain/ids.ts';
import { MAIL_KINDS, outlivesAccount, type QueuedMail } from '#domain/mail/queued-mail.ts';
import type { EpochMs } from '#domain/time.ts';

/** See `Transaction.mail`. */
export async function queueMail(
  em: EntityManager,
  id: MailId,
  mail: QueuedMail,
  now: EpochMs,
): Promise<void> {
  await em
    .createQueryBuilder(MailRow)
    .insert(toMailRow(id, mail, now))
    // Naming the unique key would need the right to read the outbox, which tenants' scopes lack.
    .onConflict()
    .ignore()
    .execute();
}

/** Forgets every mail to or about the user, except the confirmation of the deletion; see `AccountEraser`. */
export async function withdrawMail(em: EntityManager, userId: UserId, now: EpochMs): Promise<void> {
  const forgotten = {
    $or: [{ userId }, { aboutUserId: userId }],
    kind: { $nin: MAIL_KINDS.filter(outlivesAccount) },
  };
  await em.nativeUpdate(MailRow, { ...forgotten, status: 'sent' }, { copiesDue: true });
  await em.nativeUpdate(MailRow, { ...forgotten, email: { $ne: null } }, withdrawnAt(now));
}

/** Columns of an unsent mail whose contents are erased. */
export function withdrawnAt(now: EpochMs) {
  return {
    status: 'withdrawn' as const,
    settledAt: new Date(now),
    email: null,
    name: null,
    facts: null,
    problem: null,
    claim: null,
    nextAttemptAt: null,
    copiesDue: true,
  };
}
