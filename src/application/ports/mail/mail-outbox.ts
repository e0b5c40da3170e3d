/**
 * Queued mails, until they are sent or given up (Contract: §7, Mail). `Transaction.mail` queues them, together with
 * the change that they announce.
 */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { MailId, UserId } from '#domain/ids.ts';
import type { MailKind, MailOccasionId, QueuedMail } from '#domain/mail/queued-mail.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** `withdrawn`: not sent, and its contents erased. */
export const MAIL_STATUSES = ['queued', 'sent', 'failed', 'withdrawn'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** A mail that one worker is sending. */
export interface ClaimedMail {
  readonly id: MailId;
  /** Identifies this claim, also among claims of the same mail. */
  readonly claim: string;
  readonly mail: QueuedMail;
  readonly queuedAt: EpochMs;
  /** How often it has been claimed, including this time, since it was queued or retried by hand. */
  readonly attempts: number;
  /** When it was queued, or retried by hand. */
  readonly tryingSince: EpochMs;
}

/** The outcome for a claimed mail. A problem contains nobody's name or address. */
export type MailSettlement =
  | { readonly status: 'sent'; readonly at: EpochMs }
  | { readonly status: 'queued'; readonly nextAttemptAt: EpochMs; readonly problem: string }
  | { readonly status: 'failed'; readonly at: EpochMs; readonly problem: string };

/** A mail as an operator sees it. */
export interface MailSummary {
  readonly id: MailId;
  readonly kind: MailKind;
  readonly requestId: MailOccasionId;
  readonly status: MailStatus;
  readonly userId: UserId;
  /** Kept only while the mail is queued or failed. */
  readonly email: string | null;
  readonly queuedAt: EpochMs;
  readonly attempts: number;
  /** For queued mails; while claimed, when the claim expires. Null for others. */
  readonly nextAttemptAt: EpochMs | null;
  /** When it was sent, failed or withdrawn; null while queued. */
  readonly settledAt: EpochMs | null;
  /** Why the last attempt did not send it. */
  readonly problem: string | null;
}

/** Why a mail cannot be retried: `unknown` id, or its state. */
export type MailRetryRefusal = 'unknown' | 'sent' | 'withdrawn' | 'being-sent';

/** For the service and its operator only: not limited to any tenant. */
export interface MailOutbox {
  /**
   * The queued mail that has been due longest, or null if none is due. A mail whose next attempt is further away than
   * `LONGEST_RETRY_DELAY_MS` is due, too, after the others: the clock has been set back since. No other claim gets it
   * for `leaseMs`; after that it is due again, because its worker must have died. Holds no lock after returning.
   */
  claim(now: EpochMs, leaseMs: number): Promise<ClaimedMail | null>;
  /**
   * Extends a claim, so that it expires `leaseMs` after `now`. False, without any change, if the claim has been taken
   * over or has ended, or the mail has been withdrawn.
   */
  renew(claimed: Pick<ClaimedMail, 'id' | 'claim'>, now: EpochMs, leaseMs: number): Promise<boolean>;
  /**
   * Ends a claim. The address and contents of a sent mail are erased. False, without any change, if the claim has
   * expired and been taken over, or the mail has been withdrawn; its copies are then due for removal, if it was sent
   * all the same.
   */
  settle(claimed: Pick<ClaimedMail, 'id' | 'claim'>, settlement: MailSettlement): Promise<boolean>;
  /** Newest first, at most `limit`; null: any status. */
  list(status: MailStatus | null, limit: number): Promise<readonly MailSummary[]>;
  /**
   * Makes a failed mail, or a queued one that waits for its next attempt, due at `now`, with 0 attempts. The entry is
   * recorded with that.
   */
  retry(id: MailId, now: EpochMs, entry?: AuditEntry): Promise<Result<void, MailRetryRefusal>>;
  /** The same for every failed mail; gives their number. Without any, `makeEntry` is not called. */
  retryAllFailed(now: EpochMs, makeEntry?: (count: number) => AuditEntry): Promise<number>;
  /** Withdraws the mails that failed before the instant; gives their number. */
  withdrawFailedBefore(instant: EpochMs, now: EpochMs): Promise<number>;
  /**
   * At most `limit` mails, sent or withdrawn by `settledBy`, whose copies are due for removal: those withdrawn, and
   * those to or about somebody erased since, except the one that confirms the deletion. The same ones each time,
   * until `noteCopiesRemoved`.
   */
  listCopiesDue(settledBy: EpochMs, limit: number): Promise<readonly MailId[]>;
  noteCopiesRemoved(ids: readonly MailId[]): Promise<void>;
}
