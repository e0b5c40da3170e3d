/**
 * Removes the copies that a sender kept of mails that are to be forgotten (Contract: §7, "Back office"). A copy is
 * removed first and noted afterwards, so that one left by a crash is removed by the next run.
 */
import { isDueAgain } from '#application/due-again.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Log } from '#application/ports/log.ts';
import type { MailOutbox } from '#application/ports/mail/mail-outbox.ts';
import type { MailCopyRemover } from '#application/ports/mail/mail-sender.ts';
import { type EpochMs, MINUTE_MS } from '#domain/time.ts';

export interface RemoveDueCopiesDeps {
  readonly outbox: Pick<MailOutbox, 'listCopiesDue' | 'noteCopiesRemoved'>;
  /** If undefined, nothing is removed. */
  readonly removeCopies: MailCopyRemover | undefined;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** How often copies are removed. */
const EVERY_MS = MINUTE_MS;

/** A sender may still be writing a mail that was withdrawn meanwhile; it settles within this time (`MailSender`). */
const SENDING_MS = 120_000;

const BATCH = 100;

/** Removes what is due, at most once a minute. A failure is logged, since it must not hold up mail. */
export function makeRemoveDueCopies({ outbox, removeCopies, clock, log }: RemoveDueCopiesDeps) {
  let removedAt: EpochMs = Number.NEGATIVE_INFINITY;

  return async (stopping: AbortSignal): Promise<void> => {
    const now = clock();
    if (removeCopies === undefined || !isDueAgain(removedAt, EVERY_MS, now)) return;
    removedAt = now;
    try {
      let ids = await outbox.listCopiesDue(now - SENDING_MS, BATCH);
      while (ids.length > 0 && !stopping.aborted) {
        await removeCopies(ids);
        await outbox.noteCopiesRemoved(ids);
        ids = await outbox.listCopiesDue(now - SENDING_MS, BATCH);
      }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      log.warn({ code }, 'cannot remove copies of mails; trying again in a minute');
    }
  };
}
