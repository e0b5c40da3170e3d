/** What the service writes to people about an account deletion (Contract: §7, Mail): facts, not yet words. */
import type { DeletionRequestId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export const MAIL_KINDS = [
  'deletion-review',
  'deletion-approved',
  'deletion-rejected',
  'deletion-completed',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** A user of the service, at the address that they had when the mail was queued. */
export interface MailRecipient {
  readonly userId: UserId;
  readonly email: string;
  /** As it was typed; null where not known. */
  readonly name: string | null;
}

/** What each kind tells; every text is as somebody typed it. All but the review go to the requester. */
export interface MailFacts {
  /** To somebody who may decide the request. */
  readonly 'deletion-review': {
    readonly requester: MailRecipient;
    readonly reason: string | null;
    readonly requestedAt: EpochMs;
    readonly processBy: EpochMs;
  };
  /** `deletionAt` is processBy, or the time of the approval where that came later. */
  readonly 'deletion-approved': { readonly requestedAt: EpochMs; readonly deletionAt: EpochMs };
  readonly 'deletion-rejected': { readonly requestedAt: EpochMs; readonly adminNote: string };
  readonly 'deletion-completed': { readonly completedAt: EpochMs };
}

/** One mail to one person. Of each kind a person gets one for a request. */
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

/** Whether the mail goes out although the account that it is about, or its reader's, is erased. */
export function outlivesAccount(kind: MailKind): boolean {
  return kind === 'deletion-completed';
}
