/** Hands one mail to whatever brings it to its reader. */
import type { MailId } from '#domain/ids.ts';
import type { RenderedMail } from '#domain/mail/render-mail.ts';
import type { EpochMs } from '#domain/time.ts';

export interface OutgoingMail extends RenderedMail {
  /** The Message-ID is made of it, so that a mail that is sent again can be told for the same. */
  readonly id: MailId;
  readonly email: string;
  /** The mail's date, whenever it is sent. */
  readonly queuedAt: EpochMs;
}

/**
 * - `sent`: somebody else answers for it from now on.
 * - `refused`: this mail will not be taken, however often it is tried.
 * - `deferred`: this mail was not taken this time; others may be.
 * - `unreachable`: nothing could be handed over, and for no other mail would it have gone better.
 */
export type SendOutcome =
  | { readonly result: 'sent' }
  | {
      readonly result: 'refused' | 'deferred' | 'unreachable';
      /** Why, for an operator; without anybody's name or address. */
      readonly problem: string;
      /** The same in a word or two that are fit for a log, such as `550 RCPT TO`. */
      readonly code: string;
    };

/**
 * Answers within two minutes, and soon after the signal. Where a mail was handed over and the answer lost, it is
 * not `sent`: it may arrive twice then, with one Message-ID.
 */
export type MailSender = (mail: OutgoingMail, signal: AbortSignal) => Promise<SendOutcome>;
