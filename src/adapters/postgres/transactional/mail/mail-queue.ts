/** What a transaction does to the outbox: it queues mail, and withdraws the mail of a person who is erased. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { MailRow, toMailRow } from '#adapters/postgres/transactional/entities/mail-row.ts';
import type { MailId, UserId } from '#domain/ids.ts';
import { MAIL_KINDS, outlivesAccount, type QueuedMail } from '#domain/mail/queued-mail.ts';
import type { EpochMs } from '#domain/time.ts';

/** Queues a mail in the transaction of the entity manager; see `Transaction.mail`. */
export async function queueMail(
  em: EntityManager,
  id: MailId,
  mail: QueuedMail,
  now: EpochMs,
): Promise<void> {
  await em
    .createQueryBuilder(MailRow)
    .insert(toMailRow(id, mail, now))
    // Naming the unique key would require the right to read the outbox, which a tenant's scope does not have.
    .onConflict()
    .ignore()
    .execute();
}

/** Forgets every mail to the user or about them, except the one that confirms the deletion; see `AccountEraser`. */
export async function withdrawMail(em: EntityManager, userId: UserId, now: EpochMs): Promise<void> {
  const forgotten = {
    $or: [{ userId }, { aboutUserId: userId }],
    kind: { $nin: MAIL_KINDS.filter(outlivesAccount) },
  };
  await em.nativeUpdate(MailRow, { ...forgotten, status: 'sent' }, { copiesDue: true });
  await em.nativeUpdate(MailRow, { ...forgotten, email: { $ne: null } }, withdrawnAt(now));
}

/** The columns of a mail that was not sent and whose contents are forgotten. */
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
