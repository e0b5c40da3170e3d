/** Mails to those who decide a deletion request: when it is made, and once more before it is due (Contract: §7, "Mail"). */
import type { Job } from '#application/job.ts';
import type { Clock, SharedClock } from '#application/ports/clock.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { PendingRequest } from '#domain/deletion/deletion-request.ts';
import { chooseReviewers } from '#domain/deletion/deletion-reviewers.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';

/** Queues a mail to everybody who is a reviewer at this moment. */
export async function mailReviewers(
  tx: Transaction,
  kind: 'deletion-review' | 'deletion-reminder',
  request: PendingRequest,
  requester: MailRecipient,
): Promise<void> {
  const { id: requestId, userId, reason, requestedAt, processBy } = request;
  const facts = { requester, reason, requestedAt, processBy };
  for (const to of chooseReviewers(await tx.deletions.findReviewerCandidates(request), userId)) {
    await tx.mail({ kind, requestId, to, facts });
  }
}

export interface ReminderJobDeps {
  readonly unitOfWork: UnitOfWork;
  /** A reminder cannot be repeated, so this clock must not trust a jump ahead. */
  readonly clock: Clock | SharedClock;
}

/** One transaction marks a request and queues its mails, so there is exactly one reminder of each request. */
export function makeReminderJob({ unitOfWork, clock }: ReminderJobDeps): Job {
  const remindNext = async () => {
    const now = await clock();
    return unitOfWork(SYSTEM_SCOPE, async (tx) => {
      const request = await tx.deletions.takeReminder(now);
      if (request === null) return false;
      const requester = await tx.deletions.findPerson(request.userId);
      if (requester !== null) await mailReviewers(tx, 'deletion-reminder', request, requester);
      return true;
    });
  };
  return {
    name: 'deletion reminders',
    concurrency: 1,
    run: async ({ stopping }) => {
      while (!stopping.aborted && (await remindNext()));
    },
  };
}
