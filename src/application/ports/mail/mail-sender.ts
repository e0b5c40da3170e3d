import type { MailId } from '#domain/ids.ts';
import type { RenderedMail } from '#domain/mail/render-mail.ts';
import type { EpochMs } from '#domain/time.ts';

/** A mail ready to send. */
export interface OutgoingMail extends RenderedMail {
  /** Determines the Message-ID, so a repeated mail is recognisable. */
  readonly id: MailId;
  readonly email: string;
  /** The date in the header. */
  readonly queuedAt: EpochMs;
}

/**
 * `sent`: handed over to the receiver. `refused`: permanent for this mail. `deferred`: not accepted this time; other
 * mails may be. `unreachable`: no mail can be handed over now.
 */
export type SendOutcome =
  | { readonly result: 'sent' }
  | {
      readonly result: 'refused' | 'deferred' | 'unreachable';
      /** For the operator; names nobody. */
      readonly problem: string;
      /** A short form for logs, such as `550 RCPT TO`. */
      readonly code: string;
    };

/**
 * Settles within two minutes, and soon after the signal. If the reply is lost after handing over, the mail does not
 * count as `sent` and may arrive twice with the same Message-ID.
 */
export type MailSender = (mail: OutgoingMail, signal: AbortSignal) => Promise<SendOutcome>;

/** Copies may be whole or partial; missing ones are ignored. */
export type MailCopyRemover = (ids: readonly MailId[]) => Promise<void>;
