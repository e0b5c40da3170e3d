import type { MailId } from '#domain/ids.ts';
import type { RenderedMail } from '#domain/mail/render-mail.ts';
import type { EpochMs } from '#domain/time.ts';

/** A mail ready to send. */
export interface OutgoingMail extends RenderedMail {
  /** Determines the Message-ID, so a repeated mail can be recognized. */
  readonly id: MailId;
  readonly email: string;
  /** The date in the header. */
  readonly queuedAt: EpochMs;
}

/**
 * `sent`: the receiving server took the mail. `refused`: it will never take this mail. `deferred`: it does
 * not take this mail now, but may take others. `unreachable`: it takes no mail now.
 */
export type SendOutcome =
  | { readonly result: 'sent' }
  | {
      readonly result: 'refused' | 'deferred' | 'unreachable';
      /** For the operator. Contains no name or address. */
      readonly problem: string;
      /** A short form for logs, for example `550 RCPT TO`. */
      readonly code: string;
    };

/**
 * Settles within two minutes, and soon after the signal aborts. If the server's reply to a transferred mail is lost,
 * the outcome is not `sent`, and the mail may arrive twice with the same Message-ID.
 */
export type MailSender = (mail: OutgoingMail, signal: AbortSignal) => Promise<SendOutcome>;

/** Removes the sender's copies of mails, whole and partial. Missing copies are ignored. */
export type MailCopyRemover = (ids: readonly MailId[]) => Promise<void>;
