/** Mails to a user about a change to the protection of their account (Contract: §2). */
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/ids.ts';
import type { AccountNotice } from '#domain/mail/queued-mail.ts';

/** Queues the mail with the change; none if the user is no longer active. Holds the user until the transaction ends. */
export type NotifyUser = (
  tx: Pick<Transaction, 'deletions' | 'mail'>,
  userId: UserId,
  notice: AccountNotice,
) => Promise<void>;

/** Every notice is a mail of its own. */
export function makeNotifyUser({ newId }: { readonly newId: IdGenerator }): NotifyUser {
  return async (tx, userId, notice) => {
    const account = await tx.deletions.holdAccount(userId);
    if (account === null) return;
    await tx.mail({ ...notice, requestId: newId<'account-notice'>(), to: account.person });
  };
}
