/** Hands one mail over for delivery. */
import type { MailId } from '#domain/ids.ts';
import type { RenderedMail } from '#domain/mail/render-mail.ts';
import type { EpochMs } from '#domain/time.ts';

/** A mail, ready to be sent. */
export interface OutgoingMail extends RenderedMail {
  /** The Message-ID derives from it, so that a repeated mail is recognisable as the same. */
  readonly id: MailId;
  readonly email: string;
  /** The date in the mail's header, whenever it is sent. */
  readonly queuedAt: EpochMs;
}

/**
 * - `sent`: the mail was handed over; its delivery is now the receiver's responsibility.
 * - `refused`: permanent; this mail will never be accepted.
 * - `deferred`: temporary; this mail was not accepted this time, others may be.
 * - `unreachable`: no mail could be handed over at the moment.
 */
export type SendOutcome =
  | { readonly result: 'sent' }
  | {
      readonly result: 'refused' | 'deferred' | 'unreachable';
      /** Why, for the operator, without anybody's name or address. */
      readonly problem: string;
      /** The same in short, for logs, such as `550 RCPT TO`. */
      readonly code: string;
    };

/**
 * Settles within two minutes, and soon after the signal. If a mail was handed over but the reply lost, it does not
 * count as `sent`: it may then arrive twice, with the same Message-ID.
 */
export type MailSender = (mail: OutgoingMail, signal: AbortSignal) => Promise<SendOutcome>;

/** Removes the copies that a sender keeps of the mails, whole or half-written; does nothing where there are none. */
export type MailCopyRemover = (ids: readonly MailId[]) => Promise<void>;
