/**
 * Mails until they are sent or given up (Contract: §7, Mail). `Transaction.mail` queues a mail with the change that it
 * announces.
 */
import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';
import type { MailId, UserId } from '#domain/ids.ts';
import type { MailKind, MailOccasionId, QueuedMail } from '#domain/mail/queued-mail.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** A `withdrawn` mail will not be sent, and its contents are erased. */
export const MAIL_STATUSES = ['queued', 'sent', 'failed', 'withdrawn'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

export interface ClaimedMail {
  readonly id: MailId;
  /** Unique per claim. */
  readonly claim: string;
  readonly mail: QueuedMail;
  readonly queuedAt: EpochMs;
  /** The number of claims since the mail was queued or retried by hand, including this one. */
  readonly attempts: number;
  /** When the mail was queued or last retried by hand. */
  readonly tryingSince: EpochMs;
}

/** How an attempt ended. `problem` must contain no name or address. */
export type MailSettlement =
  | { readonly status: 'sent'; readonly at: EpochMs }
  | { readonly status: 'queued'; readonly nextAttemptAt: EpochMs; readonly problem: string }
  | { readonly status: 'failed'; readonly at: EpochMs; readonly problem: string };

export interface MailSummary {
  readonly id: MailId;
  readonly kind: MailKind;
  readonly requestId: MailOccasionId;
  readonly status: MailStatus;
  readonly userId: UserId;
  /** Null once sent or withdrawn. */
  readonly email: string | null;
  readonly queuedAt: EpochMs;
  readonly attempts: number;
  /** When the next attempt is due, or the current claim expires. Null unless queued. */
  readonly nextAttemptAt: EpochMs | null;
  /** Null while queued. */
  readonly settledAt: EpochMs | null;
  readonly problem: string | null;
}

/** `unknown` if there is no such mail, else why its state forbids a retry. */
export type MailRetryRefusal = 'unknown' | 'sent' | 'withdrawn' | 'being-sent';

/** For the service and its operator, across tenants. */
export interface MailOutbox {
  /**
   * Claims the queued mail that has been due longest; null if none is due.
   * - A mail due more than `LONGEST_RETRY_DELAY_MS` from now was deferred while the clock was ahead. It
   *   counts as due, after all others.
   * - No other worker gets the mail for `leaseMs`. After that, its worker counts as dead.
   * - Mails in `inHand`, still being sent, are not claimed, even if the clock jumps.
   */
  claim(now: EpochMs, leaseMs: number, inHand?: Iterable<MailId>): Promise<ClaimedMail | null>;
  /**
   * Extends a claim to `leaseMs` after `now`. False, without any change, if the claim has ended or was taken over, or
   * the mail was withdrawn.
   */
  renew(claimed: Pick<ClaimedMail, 'id' | 'claim'>, now: EpochMs, leaseMs: number): Promise<boolean>;
  /**
   * Ends a claim, and erases the address and contents of a sent mail. False if the claim was taken over or the mail was
   * withdrawn; the mail then keeps its status. If a withdrawn mail or the confirmation of a deletion was sent,
   * its copies are due for removal (`listCopiesDue`).
   */
  settle(claimed: Pick<ClaimedMail, 'id' | 'claim'>, settlement: MailSettlement): Promise<boolean>;
  /** Newest first; a null status means any. */
  list(status: MailStatus | null, limit: number): Promise<readonly MailSummary[]>;
  /** Makes a failed or waiting mail due at `now`, with 0 attempts, and records the entry. */
  retry(id: MailId, now: EpochMs, makeEntry?: MakeChangeEntry): Promise<Result<void, MailRetryRefusal>>;
  /** Retries all failed mails and returns their number. If none, `makeEntry` is not called. */
  retryAllFailed(now: EpochMs, makeEntry?: MakeChangeEntry<[count: number]>): Promise<number>;
  /** Withdraws mails that failed before `instant`, and returns their number. */
  withdrawFailedBefore(instant: EpochMs, now: EpochMs): Promise<number>;
  /**
   * Mails settled at or before `settledBy` whose copies the sender must remove: withdrawn ones, those to or about a
   * person erased since, and confirmations of a deletion. Returns the same mails until `noteCopiesRemoved`.
   */
  listCopiesDue(settledBy: EpochMs, limit: number): Promise<readonly MailId[]>;
  noteCopiesRemoved(ids: readonly MailId[]): Promise<void>;
}
