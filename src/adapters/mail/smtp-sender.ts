/** Sends through an SMTP server, on a connection for each mail. */
import { createTransport, type NodemailerError } from 'nodemailer';
import type { MailSender } from '#application/ports/mail/mail-sender.ts';
import { composeMessage, type MailFrom } from './compose-message.ts';
import { isMailAddress } from './mail-address.ts';
import { toFailure } from './smtp-failure.ts';

export interface SmtpSenderOptions {
  /** `smtp://` (with STARTTLS where the server offers it) or `smtps://`, with user and password where needed. */
  readonly url: string;
  readonly from: MailFrom;
  /** Milliseconds; each has a default. */
  readonly timeouts?: Partial<SmtpTimeouts>;
}

export interface SmtpTimeouts {
  /** Until the connection stands. */
  readonly connect: number;
  /** Until the server has greeted. */
  readonly greeting: number;
  /** Without a word from the server. */
  readonly silence: number;
  /** For everything together: a server that says a word now and then holds nobody either. */
  readonly total: number;
}

const TIMEOUTS: SmtpTimeouts = { connect: 10_000, greeting: 15_000, silence: 30_000, total: 100_000 };

export function makeSmtpSender({ url, from, timeouts }: SmtpSenderOptions): MailSender {
  const { connect, greeting, silence, total } = { ...TIMEOUTS, ...timeouts };
  // Not a pool: it would send a mail again by itself when a connection breaks.
  const transport = createTransport({
    url,
    connectionTimeout: connect,
    dnsTimeout: connect,
    greetingTimeout: greeting,
    socketTimeout: silence,
  });
  return async (mail, signal) => {
    if (!isMailAddress(mail.email)) {
      return { result: 'refused', problem: 'not an address that mail can be sent to', code: 'EADDRESS' };
    }
    try {
      const message = composeMessage(mail, from);
      await transport.sendMail({ ...message, signal: AbortSignal.any([signal, AbortSignal.timeout(total)]) });
      return { result: 'sent' };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return toFailure(error as NodemailerError);
    }
  };
}
