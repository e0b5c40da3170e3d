/** Sends mail through an SMTP server, over one connection per mail. */
import { createTransport, type NodemailerError } from 'nodemailer';
import type { MailSender } from '#application/ports/mail/mail-sender.ts';
import { composeMessage, type MailFrom } from './compose-message.ts';
import { isMailAddress } from './mail-address.ts';
import { toFailure } from './smtp-failure.ts';

export interface SmtpSenderOptions {
  /** `smtp://` (with STARTTLS if the server offers it) or `smtps://`, with user and password if needed. */
  readonly url: string;
  readonly from: MailFrom;
  /** Milliseconds; each has a default. */
  readonly timeouts?: Partial<SmtpTimeouts>;
}

export interface SmtpTimeouts {
  /** To establish the connection. */
  readonly connect: number;
  /** From then to the server's greeting. */
  readonly greeting: number;
  /** Without any data from the server. */
  readonly silence: number;
  /** For the whole exchange, so that a server that trickles data cannot hold it up. */
  readonly total: number;
}

const TIMEOUTS: SmtpTimeouts = { connect: 10_000, greeting: 15_000, silence: 30_000, total: 100_000 };

export function makeSmtpSender({ url, from, timeouts }: SmtpSenderOptions): MailSender {
  const { connect, greeting, silence, total } = { ...TIMEOUTS, ...timeouts };
  // No pool: a pool resends a mail on its own when a connection breaks.
  const transport = createTransport({
    url,
    connectionTimeout: connect,
    dnsTimeout: connect,
    greetingTimeout: greeting,
    socketTimeout: silence,
  });
  return async (mail, signal) => {
    if (!isMailAddress(mail.email)) {
      return { result: 'refused', problem: 'mail cannot be sent to this address', code: 'EADDRESS' };
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
