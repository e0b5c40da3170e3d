/**
 * Mails as facts, before they are put into words: about the deletion of an account (Contract: §7, Mail) and about its
 * protection (§2).
 */
import type { AccountNoticeId, DeletionRequestId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

const DELETION_MAIL_KINDS = [
  'deletion-review',
  'deletion-approved',
  'deletion-rejected',
  'deletion-completed',
] as const;

/** Tell a user of what was done to the protection of their account, in case it was not them. */
const ACCOUNT_NOTICE_KINDS = [
  'mfa-enrolled',
  'recovery-code-used',
  'codes-guessed',
  'api-key-created',
  'api-key-revoked',
  'password-changed',
  'recovery-codes-renewed',
  'mfa-removed',
] as const;
type AccountNoticeKind = (typeof ACCOUNT_NOTICE_KINDS)[number];

/** Every mail there is. */
export const MAIL_KINDS = [...DELETION_MAIL_KINDS, ...ACCOUNT_NOTICE_KINDS] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** A user, with the address they had when the mail was queued. */
export interface MailRecipient {
  readonly userId: UserId;
  readonly email: string;
  /** As typed; null if unknown. */
  readonly name: string | null;
}

/** The facts in each kind of mail; texts are as typed. All but the review go to the user whose account it is. */
export interface MailFacts {
  /** To an administrator who can decide the request. */
  readonly 'deletion-review': {
    readonly requester: MailRecipient;
    readonly reason: string | null;
    readonly requestedAt: EpochMs;
    readonly processBy: EpochMs;
  };
  /** `deletionAt` is processBy, or the time of the approval if that came later. */
  readonly 'deletion-approved': { readonly requestedAt: EpochMs; readonly deletionAt: EpochMs };
  readonly 'deletion-rejected': { readonly requestedAt: EpochMs; readonly adminNote: string };
  readonly 'deletion-completed': { readonly completedAt: EpochMs };
  /** Also if it replaces an earlier factor. */
  readonly 'mfa-enrolled': { readonly at: EpochMs };
  readonly 'recovery-code-used': { readonly at: EpochMs };
  /** Too many wrong codes of the second factor within a day. */
  readonly 'codes-guessed': { readonly at: EpochMs };
  /** `name`: the key's. */
  readonly 'api-key-created': { readonly at: EpochMs; readonly name: string };
  readonly 'api-key-revoked': { readonly at: EpochMs; readonly name: string };
  readonly 'password-changed': { readonly at: EpochMs };
  readonly 'recovery-codes-renewed': { readonly at: EpochMs };
  /** By the operator, for somebody who has lost it. */
  readonly 'mfa-removed': { readonly at: EpochMs };
}

/** One mail to one person, who receives at most one of each kind per request. */
export type QueuedMail = {
  readonly [K in MailKind]: {
    readonly kind: K;
    /** The deletion request, or a new id for each notice about an account. */
    readonly requestId: MailOccasionId;
    readonly to: MailRecipient;
    readonly facts: MailFacts[K];
  };
}[MailKind];

/** What a mail is about: a request, or a change to the account. */
export type MailOccasionId = DeletionRequestId | AccountNoticeId;

/** The contents of a mail about the protection of an account. */
export type AccountNotice = {
  readonly [K in AccountNoticeKind]: { readonly kind: K; readonly facts: MailFacts[K] };
}[AccountNoticeKind];

/** The person whose account the mail is about. */
export function subjectOf(mail: QueuedMail): UserId {
  return mail.kind === 'deletion-review' ? mail.facts.requester.userId : mail.to.userId;
}

/** Whether the mail is still sent after the account of its subject or its recipient has been erased. */
export function outlivesAccount(kind: MailKind): boolean {
  return kind === 'deletion-completed';
}
