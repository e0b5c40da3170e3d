/**
 * The mails that were queued, until they are sent or given up. What queues them is `Transaction.mail`, with the
 * change that they tell of (Contract: §7, Mail).
 */
import type { DeletionRequestId, MailId, UserId } from '#domain/ids.ts';
import type { MailKind, QueuedMail } from '#domain/mail/queued-mail.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** `withdrawn` is a mail that was not sent and whose contents are forgotten. */
export const MAIL_STATUSES = ['queued', 'sent', 'failed', 'withdrawn'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** A mail in the hands of one worker. */
export interface ClaimedMail {
  readonly id: MailId;
  /** Told apart from every other claim, of the same mail as well. */
  readonly claim: string;
  readonly mail: QueuedMail;
  readonly queuedAt: EpochMs;
  /** How often it was claimed, this time included, since it was queued or retried by hand. */
  readonly attempts: number;
  /** When it was queued, or retried by hand. */
  readonly tryingSince: EpochMs;
}

/** What became of a claimed mail. A problem is told without anybody's name or address. */
export type MailSettlement =
  | { readonly status: 'sent'; readonly at: EpochMs }
  | { readonly status: 'queued'; readonly nextAttemptAt: EpochMs; readonly problem: string }
  | { readonly status: 'failed'; readonly at: EpochMs; readonly problem: string };

/** A mail as an operator sees it. */
export interface MailSummary {
  readonly id: MailId;
  readonly kind: MailKind;
  readonly requestId: DeletionRequestId;
  readonly status: MailStatus;
  readonly userId: UserId;
  /** Kept only while the mail is queued or failed. */
  readonly email: string | null;
  readonly queuedAt: EpochMs;
  readonly attempts: number;
  /** Of a queued mail; while it is claimed, when the claim runs out. */
  readonly nextAttemptAt: EpochMs | null;
  /** When it was sent, failed or was withdrawn. */
  readonly settledAt: EpochMs | null;
  /** Why it was not sent the last time it was tried. */
  readonly problem: string | null;
}

export type MailRetryRefusal = 'unknown' | 'sent' | 'withdrawn' | 'being-sent';

/** Seen by the service and its operator alone: nothing in here is narrowed to a tenant. */
export interface MailOutbox {
  /**
   * The queued mail that has been due longest, or null where none is due. Nobody else gets it for the next
   * `leaseMs`; afterwards it is due again, as its worker must have died. Holds no lock once it has answered.
   */
  claim(now: EpochMs, leaseMs: number): Promise<ClaimedMail | null>;
  /**
   * Ends a claim. A mail that was sent keeps neither address nor contents. False, and nothing is changed, where
   * the claim has gone to another meanwhile or the mail was withdrawn.
   */
  settle(claimed: Pick<ClaimedMail, 'id' | 'claim'>, settlement: MailSettlement): Promise<boolean>;
  /** Newest first, at most `limit`; null is every status. */
  list(status: MailStatus | null, limit: number): Promise<readonly MailSummary[]>;
  /** Makes a failed mail, or a queued one that waits for its next attempt, due at `now` with its attempts from 0. */
  retry(id: MailId, now: EpochMs): Promise<Result<void, MailRetryRefusal>>;
  /** The same for every failed mail; says how many. */
  retryAllFailed(now: EpochMs): Promise<number>;
  /** Withdraws what failed before the instant; says how many. */
  withdrawFailedBefore(instant: EpochMs, now: EpochMs): Promise<number>;
}
