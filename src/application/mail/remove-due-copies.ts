/**
 * Removes a sender's copies of mails that must be forgotten (Contract: §7, "Back office"). A removal is noted
 * only when done, so after a crash the next run repeats it.
 */
import { isDueAgain } from '#application/job.ts';
import type { Clock, SharedClock } from '#application/ports/clock.ts';
import type { Log } from '#application/ports/log.ts';
import type { MailOutbox } from '#application/ports/mail/mail-outbox.ts';
import type { MailCopyRemover } from '#application/ports/mail/mail-sender.ts';
import type { EpochMs } from '#domain/time.ts';

export interface RemoveDueCopiesDeps {
  readonly outbox: Pick<MailOutbox, 'listCopiesDue' | 'noteCopiesRemoved'>;
  /** If undefined, nothing is removed. */
  readonly removeCopies?: MailCopyRemover | undefined;
  readonly clock: Clock;
  readonly sharedClock: SharedClock;
  readonly log: Pick<Log, 'warn'>;
}

/** Copies must be gone three minutes after an account is erased. */
const EVERY_MS = 30_000;

/** How long a sender may still be writing a mail that was withdrawn (`MailSender`). */
const SENDING_MS = 120_000;

const BATCH = 100;

/** Runs at most twice a minute. Failures are only logged; they must not hold up mail. */
export function makeRemoveDueCopies(deps: RemoveDueCopiesDeps) {
  const { outbox, removeCopies, clock, sharedClock, log } = deps;
  let removedAt: EpochMs = Number.NEGATIVE_INFINITY;

  return async (stopping: AbortSignal): Promise<void> => {
    if (removeCopies === undefined || !isDueAgain(removedAt, EVERY_MS, clock())) return;
    removedAt = clock();
    try {
      const settledBy = (await sharedClock()) - SENDING_MS;
      let ids = await outbox.listCopiesDue(settledBy, BATCH);
      while (ids.length > 0 && !stopping.aborted) {
        await removeCopies(ids);
        await outbox.noteCopiesRemoved(ids);
        ids = await outbox.listCopiesDue(settledBy, BATCH);
      }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      log.warn({ code }, 'cannot remove copies of mails; trying again in half a minute');
    }
  };
}
