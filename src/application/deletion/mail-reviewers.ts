import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { PendingRequest } from '#domain/deletion/deletion-request.ts';
import { chooseReviewers } from '#domain/deletion/deletion-reviewers.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';

/** Queues a mail to each person who is told about the request at this moment. */
export async function mailReviewers(
  tx: Transaction,
  request: PendingRequest,
  requester: MailRecipient,
): Promise<void> {
  const { id: requestId, userId, reason, requestedAt, processBy } = request;
  const facts = { requester, reason, requestedAt, processBy };
  for (const to of chooseReviewers(await tx.deletions.findReviewerCandidates(request), userId)) {
    await tx.mail({ kind: 'deletion-review', requestId, to, facts });
  }
}
