import type { MailId } from '#domain/ids.ts';
import type { RenderedMail } from '#domain/mail/render-mail.ts';
import type { EpochMs } from '#domain/time.ts';

/** A mail ready to send. */
export interface OutgoingMail extends RenderedMail {
  /** Determines the Message-ID, so repetitions of a mail can be recognized. */
  readonly id: MailId;
  readonly email: string;
  /** The date in the mail's header. */
  readonly queuedAt: EpochMs;
}

/**
 * `sent`: the receiving server took the mail. `refused`: it will never take this mail. `deferred`: it did not take
 * this mail now, but may take others. `unreachable`: it takes no mails now.
 */
export type SendOutcome =
  | { readonly result: 'sent' }
  | {
      readonly result: 'refused' | 'deferred' | 'unreachable';
      /** Tells the operator what went wrong; names nobody. */
      readonly problem: string;
      /** A short form for logs, for example `550 RCPT TO`. */
      readonly code: string;
    };

/**
 * Settles within two minutes, and soon after the signal aborts. If the reply to a transferred mail is lost, the
 * result is not `sent`, and the mail may arrive twice with the same Message-ID.
 */
export type MailSender = (mail: OutgoingMail, signal: AbortSignal) => Promise<SendOutcome>;

/** Removes whole and partial copies of mails. Missing copies are ignored. */
export type MailCopyRemover = (ids: readonly MailId[]) => Promise<void>;
