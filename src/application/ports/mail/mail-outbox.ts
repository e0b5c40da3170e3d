/**
 * Queued mails, until sent or given up (Contract: §7, Mail). `Transaction.mail` queues them with the change that they
 * announce.
 */
import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';
import type { MailId, UserId } from '#domain/ids.ts';
import type { MailKind, MailOccasionId, QueuedMail } from '#domain/mail/queued-mail.ts';
import type { Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

/** `withdrawn`: never sent, contents erased. */
export const MAIL_STATUSES = ['queued', 'sent', 'failed', 'withdrawn'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** A mail claimed by one worker. */
export interface ClaimedMail {
  readonly id: MailId;
  /** Unique per claim. */
  readonly claim: string;
  readonly mail: QueuedMail;
  readonly queuedAt: EpochMs;
  /** Claims since it was queued or retried by hand, this one included. */
  readonly attempts: number;
  /** When it was queued or retried by hand. */
  readonly tryingSince: EpochMs;
}

/** Problems name nobody. */
export type MailSettlement =
  | { readonly status: 'sent'; readonly at: EpochMs }
  | { readonly status: 'queued'; readonly nextAttemptAt: EpochMs; readonly problem: string }
  | { readonly status: 'failed'; readonly at: EpochMs; readonly problem: string };

/** A mail as operators see it. */
export interface MailSummary {
  readonly id: MailId;
  readonly kind: MailKind;
  readonly requestId: MailOccasionId;
  readonly status: MailStatus;
  readonly userId: UserId;
  /** Kept while queued or failed only. */
  readonly email: string | null;
  readonly queuedAt: EpochMs;
  readonly attempts: number;
  /** For queued mails; while claimed, when the claim expires. Null otherwise. */
  readonly nextAttemptAt: EpochMs | null;
  /** Null while queued. */
  readonly settledAt: EpochMs | null;
  /** Why the last attempt failed. */
  readonly problem: string | null;
}

/** `unknown` id, or the mail's state. */
export type MailRetryRefusal = 'unknown' | 'sent' | 'withdrawn' | 'being-sent';

/** For the service and its operator, across tenants. */
export interface MailOutbox {
  /**
   * Claims the queued mail that has been due longest; null if none is due. A mail further away than
   * `LONGEST_RETRY_DELAY_MS` is due as well, after the others: it was deferred while the clock was ahead. Nobody else
   * gets the mail for `leaseMs`; after that its worker counts as dead. Mails in `inHand` are not claimed: the worker is
   * sending them, and a clock that jumps must not end its claims. Holds no lock afterwards.
   */
  claim(now: EpochMs, leaseMs: number, inHand?: Iterable<MailId>): Promise<ClaimedMail | null>;
  /**
   * Extends a claim to `leaseMs` after `now`. False, without any change, if it ended or was taken over, or the mail
   * was withdrawn.
   */
  renew(claimed: Pick<ClaimedMail, 'id' | 'claim'>, now: EpochMs, leaseMs: number): Promise<boolean>;
  /**
   * Ends a claim; a sent mail loses its address and contents. False, without any change, if it was taken over or the
   * mail withdrawn; copies of a withdrawn mail that was sent anyway are then due for removal. So are those of a mail that
   * outlives the account, once it is sent.
   */
  settle(claimed: Pick<ClaimedMail, 'id' | 'claim'>, settlement: MailSettlement): Promise<boolean>;
  /** Newest first; a null status means any. */
  list(status: MailStatus | null, limit: number): Promise<readonly MailSummary[]>;
  /** Makes a failed or waiting mail due at `now` with 0 attempts, and records the entry. */
  retry(id: MailId, now: EpochMs, makeEntry?: MakeChangeEntry): Promise<Result<void, MailRetryRefusal>>;
  /** Retries every failed mail and returns their number. Without any, `makeEntry` is not called. */
  retryAllFailed(now: EpochMs, makeEntry?: MakeChangeEntry<[count: number]>): Promise<number>;
  /** Withdraws mails that failed before the instant and returns their number. */
  withdrawFailedBefore(instant: EpochMs, now: EpochMs): Promise<number>;
  /**
   * Mails settled by `settledBy` whose copies must be removed: withdrawn ones, those to or about a person erased since, and
   * confirmations of a deletion. Returns the same ones until `noteCopiesRemoved`.
   */
  listCopiesDue(settledBy: EpochMs, limit: number): Promise<readonly MailId[]>;
  noteCopiesRemoved(ids: readonly MailId[]): Promise<void>;
}
