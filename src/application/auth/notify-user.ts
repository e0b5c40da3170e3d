/** Mails users about changes to the protection of their accounts (Contract: §2). */
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/ids.ts';
import type { AccountNotice } from '#domain/mail/queued-mail.ts';

/** Queues the mail in `tx` if the user is active. Locks the user until `tx` ends. */
export type NotifyUser = (
  tx: Pick<Transaction, 'deletions' | 'mail'>,
  userId: UserId,
  notice: AccountNotice,
) => Promise<void>;

export function makeNotifyUser({ newId }: { readonly newId: IdGenerator }): NotifyUser {
  return async (tx, userId, notice) => {
    const account = await tx.deletions.holdAccount(userId);
    if (account === null) return;
    await tx.mail({ ...notice, requestId: newId<'account-notice'>(), to: account.person });
  };
}
