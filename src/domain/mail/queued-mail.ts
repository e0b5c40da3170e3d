/** Mails as facts, before wording: about account deletion (Contract: §7, Mail) and account protection (§2). */
import type { AccountNoticeId, DeletionRequestId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

const DELETION_MAIL_KINDS = [
  'deletion-review',
  'deletion-approved',
  'deletion-rejected',
  'deletion-completed',
] as const;

/** These tell users about changes to their account's protection, in case somebody else made them. */
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

/** All kinds of mail. */
export const MAIL_KINDS = [...DELETION_MAIL_KINDS, ...ACCOUNT_NOTICE_KINDS] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** A user with the address at the time of queueing. */
export interface MailRecipient {
  readonly userId: UserId;
  readonly email: string;
  /** As typed; null if unknown. */
  readonly name: string | null;
}

/** Facts by kind; texts are as typed. All kinds but the review go to the account's owner. */
export interface MailFacts {
  /** To each administrator who can decide the request. */
  readonly 'deletion-review': {
    readonly requester: MailRecipient;
    readonly reason: string | null;
    readonly requestedAt: EpochMs;
    readonly processBy: EpochMs;
  };
  /** `deletionAt` is processBy, or the time of the approval if later. */
  readonly 'deletion-approved': { readonly requestedAt: EpochMs; readonly deletionAt: EpochMs };
  readonly 'deletion-rejected': { readonly requestedAt: EpochMs; readonly adminNote: string };
  readonly 'deletion-completed': { readonly completedAt: EpochMs };
  /** Also when it replaces an earlier factor. */
  readonly 'mfa-enrolled': { readonly at: EpochMs };
  readonly 'recovery-code-used': { readonly at: EpochMs };
  /** 20 wrong codes within 24 hours. */
  readonly 'codes-guessed': { readonly at: EpochMs };
  /** `name` is the key's name. */
  readonly 'api-key-created': { readonly at: EpochMs; readonly name: string };
  readonly 'api-key-revoked': { readonly at: EpochMs; readonly name: string };
  readonly 'password-changed': { readonly at: EpochMs };
  readonly 'recovery-codes-renewed': { readonly at: EpochMs };
  /** Removed by the operator. */
  readonly 'mfa-removed': { readonly at: EpochMs };
}

/** A person gets at most one mail of each kind per `requestId`. */
export type QueuedMail = {
  readonly [K in MailKind]: {
    readonly kind: K;
    /** The deletion request, or a new id for each notice. */
    readonly requestId: MailOccasionId;
    readonly to: MailRecipient;
    readonly facts: MailFacts[K];
  };
}[MailKind];

/** A deletion request, or one notice about an account. */
export type MailOccasionId = DeletionRequestId | AccountNoticeId;

/** A mail about account protection. */
export type AccountNotice = {
  readonly [K in AccountNoticeKind]: { readonly kind: K; readonly facts: MailFacts[K] };
}[AccountNoticeKind];

/** The person whose account the mail is about. */
export function subjectOf(mail: QueuedMail): UserId {
  return mail.kind === 'deletion-review' ? mail.facts.requester.userId : mail.to.userId;
}

/** Whether the mail is still sent after the account is erased. */
export function outlivesAccount(kind: MailKind): boolean {
  return kind === 'deletion-completed';
}
