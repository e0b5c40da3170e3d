/** The mails about an account deletion (Contract: §7, Mail) as facts, before they are put into words. */
import type { DeletionRequestId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export const MAIL_KINDS = [
  'deletion-review',
  'deletion-approved',
  'deletion-rejected',
  'deletion-completed',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** A user, with the address they had when the mail was queued. */
export interface MailRecipient {
  readonly userId: UserId;
  readonly email: string;
  /** As typed; null if unknown. */
  readonly name: string | null;
}

/** The facts in each kind of mail; texts are as typed. All but the review go to the requester. */
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
}

/** One mail to one person, who receives at most one of each kind per request. */
export type QueuedMail = {
  readonly [K in MailKind]: {
    readonly kind: K;
    readonly requestId: DeletionRequestId;
    readonly to: MailRecipient;
    readonly facts: MailFacts[K];
  };
}[MailKind];

/** The person whose account the mail is about. */
export function subjectOf(mail: QueuedMail): UserId {
  return mail.kind === 'deletion-review' ? mail.facts.requester.userId : mail.to.userId;
}

/** Whether the mail is still sent after the account of its subject or its recipient has been erased. */
export function outlivesAccount(kind: MailKind): boolean {
  return kind === 'deletion-completed';
}
