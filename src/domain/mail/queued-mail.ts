/** The facts of mails, before wording (Contract: §2; §7, Mail). */
import type { AccountNoticeId, DeletionRequestId, FilterId, UserId } from '#domain/ids.ts';
import type { ChangeDigest, Crossing, Line } from '#domain/membership/change-digest.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

const DELETION_MAIL_KINDS = [
  'deletion-review',
  'deletion-reminder',
  'deletion-approved',
  'deletion-rejected',
  'deletion-completed',
] as const;

/** Mails about changes that somebody other than the account's owner may have made. */
const ACCOUNT_NOTICE_KINDS = [
  'mfa-enrolled',
  'recovery-code-used',
  'codes-guessed',
  'api-key-created',
  'api-key-revoked',
  'password-changed',
  'recovery-codes-renewed',
  'mfa-removed',
  'passkey-added',
  'passkey-removed',
  'provider-linked',
  'provider-unlinked',
  'password-reset',
] as const;
type AccountNoticeKind = (typeof ACCOUNT_NOTICE_KINDS)[number];

/** Mails with a link for setting a password. */
const LINK_MAIL_KINDS = ['invitation', 'password-reset-link', 'provider-gone'] as const;

/** Mails to the recipients of a subscription. */
const FILTER_MAIL_KINDS = ['filter-changes', 'filter-count'] as const;

/** All kinds of mail. */
export const MAIL_KINDS = [
  ...DELETION_MAIL_KINDS,
  ...ACCOUNT_NOTICE_KINDS,
  ...LINK_MAIL_KINDS,
  ...FILTER_MAIL_KINDS,
  'webhook-paused',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** `email` is the address at the time of queueing. */
export interface MailRecipient {
  readonly userId: UserId;
  readonly email: string;
  readonly name: string | null;
}

/** Texts are as typed. Mails go to the account's owner, except the first two and those about filters. */
export interface MailFacts {
  /** Sent to the people whom `chooseReviewers` gives. */
  readonly 'deletion-review': ReviewFacts;
  /** Sent if the request is still pending some days before `processBy`. */
  readonly 'deletion-reminder': ReviewFacts;
  /** `deletionAt` is processBy, or the time of the approval if later. */
  readonly 'deletion-approved': { readonly requestedAt: EpochMs; readonly deletionAt: EpochMs };
  readonly 'deletion-rejected': { readonly requestedAt: EpochMs; readonly adminNote: string };
  readonly 'deletion-completed': { readonly completedAt: EpochMs };
  readonly 'mfa-enrolled': { readonly at: EpochMs };
  readonly 'recovery-code-used': { readonly at: EpochMs };
  /** Sent after 20 wrong codes within 24 hours. */
  readonly 'codes-guessed': { readonly at: EpochMs };
  readonly 'api-key-created': { readonly at: EpochMs; readonly name: string };
  readonly 'api-key-revoked': { readonly at: EpochMs; readonly name: string };
  readonly 'password-changed': { readonly at: EpochMs };
  readonly 'recovery-codes-renewed': { readonly at: EpochMs };
  readonly 'mfa-removed': { readonly at: EpochMs };
  readonly 'passkey-added': { readonly at: EpochMs; readonly name: string };
  readonly 'passkey-removed': { readonly at: EpochMs; readonly name: string };
  readonly 'provider-linked': { readonly at: EpochMs; readonly name: string };
  readonly 'provider-unlinked': { readonly at: EpochMs; readonly name: string };
  readonly 'password-reset': { readonly at: EpochMs };
  readonly invitation: LinkFacts & {
    /** Null if the operator sent the invitation. */
    readonly inviter: string | null;
    /** The organization or partner; null for system scope. */
    readonly place: string | null;
  };
  readonly 'password-reset-link': LinkFacts & { readonly at: EpochMs };
  /** Sent to people without a password whose identity provider was deleted. */
  readonly 'provider-gone': LinkFacts & { readonly name: string };
  readonly 'filter-changes': FilterFacts & ChangeDigest & { readonly isComplete: boolean };
  /** Sent when the number of devices has crossed a line. */
  readonly 'filter-count': FilterFacts & Crossing & { readonly line: Line };
  /** Sent to the person who made the webhook if they may change it, otherwise to all who may. */
  readonly 'webhook-paused': {
    readonly at: EpochMs;
    readonly name: string;
    readonly filterId: FilterId;
    /** The problem of the last attempt. Null if the pause is due to undelivered changes that are no longer kept. */
    readonly problem: string | null;
  };
}

export interface ReviewFacts {
  readonly requester: MailRecipient;
  readonly reason: string | null;
  readonly requestedAt: EpochMs;
  readonly processBy: EpochMs;
}

export interface FilterFacts {
  readonly filterId: FilterId;
  readonly filterName: string;
  readonly subscriptionName: string;
  /** Devices in the filter after the changes in the mail. */
  readonly count: number;
}

export interface LinkFacts {
  /** Stores encrypt the token, and forget it once the mail is sent. */
  readonly token: string;
  readonly expiresAt: EpochMs;
}

/** A person gets at most one mail of each kind per `requestId`. */
export type QueuedMail = {
  readonly [K in MailKind]: {
    readonly kind: K;
    /** The id of the deletion request; mails about anything else get a new id. */
    readonly requestId: MailOccasionId;
    readonly to: MailRecipient;
    readonly facts: MailFacts[K];
  };
}[MailKind];

/** A deletion request, or one notice about an account or a filter. */
export type MailOccasionId = DeletionRequestId | AccountNoticeId;

export type AccountNotice = {
  readonly [K in AccountNoticeKind]: { readonly kind: K; readonly facts: MailFacts[K] };
}[AccountNoticeKind];

/** The person whose account the mail is about. */
export function subjectOf(mail: QueuedMail): UserId {
  const isForReview = mail.kind === 'deletion-review' || mail.kind === 'deletion-reminder';
  return isForReview ? mail.facts.requester.userId : mail.to.userId;
}

/** Whether the mail is still sent after the account is erased. */
export function outlivesAccount(kind: MailKind): boolean {
  return kind === 'deletion-completed';
}

/** Delays after each failed attempt. The last delay repeats. */
const DELAYS_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

/** Spreads out mails that failed together. */
const JITTER = 0.2;

/** A mail that would wait longer was deferred while a clock was ahead, so it is due. */
export const LONGEST_RETRY_DELAY_MS = Math.max(...DELAYS_MS) * (1 + JITTER);

/** After an outage, mail flows again within a minute. */
const LONGEST_OUTAGE_DELAY_MS = MINUTE_MS;

/** How long a mail is retried, from its first attempt or from `mail retry`. */
export const GIVE_UP_AFTER_MS = 72 * HOUR_MS;

/** How long operators can inspect and retry failed mails. */
export const FAILED_KEPT_MS = 30 * DAY_MS;

/**
 * Milliseconds to wait after `attempts` (from 1). An unreachable server delays all mails, so the delay is at most a
 * minute. `chance` is in [0, 1).
 */
export function retryDelayMs(reason: 'deferred' | 'unreachable', attempts: number, chance: number): number {
  const delay = DELAYS_MS[Math.min(attempts, DELAYS_MS.length) - 1] ?? HOUR_MS;
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * chance));
  return reason === 'unreachable' ? Math.min(jittered, LONGEST_OUTAGE_DELAY_MS) : jittered;
}
