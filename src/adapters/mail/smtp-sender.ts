/** Sends mail through an SMTP server, one connection per mail. */
import { createTransport, type NodemailerError } from 'nodemailer';
import type { MailSender } from '#application/ports/mail/mail-sender.ts';
import { composeMessage, type MailFrom } from './compose-message.ts';
import { isMailAddress } from './mail-address.ts';
import { toFailure } from './smtp-failure.ts';

export interface SmtpSenderOptions {
  /** `smtp://` (STARTTLS if offered) or `smtps://`, with user and password if needed. */
  readonly url: string;
  readonly from: MailFrom;
  /** Milliseconds. */
  readonly timeouts?: Partial<SmtpTimeouts>;
}

export interface SmtpTimeouts {
  readonly connect: number;
  /** From the connection to the greeting. */
  readonly greeting: number;
  /** Until the server has the whole mail, so a server that trickles data cannot block. */
  readonly conversation: number;
  /** From then to the reply. Giving up earlier sends mail twice (RFC 5321, 4.5.3.2.6). */
  readonly acceptance: number;
}

const TIMEOUTS: SmtpTimeouts = {
  connect: 10_000,
  greeting: 15_000,
  conversation: 100_000,
  acceptance: 600_000,
};

export function makeSmtpSender({ url, from, timeouts }: SmtpSenderOptions): MailSender {
  const { connect, greeting, conversation, acceptance } = { ...TIMEOUTS, ...timeouts };
  return async (mail, signal) => {
    if (!isMailAddress(mail.email)) {
      return { result: 'refused', problem: 'mail cannot be sent to this address', code: 'EADDRESS' };
    }
    // No pool: a pool resends a mail by itself when a connection breaks.
    const transport = createTransport({
      url,
      connectionTimeout: connect,
      dnsTimeout: connect,
      greetingTimeout: greeting,
      // nodemailer has one timeout for all phases; ours differ.
      socketTimeout: conversation + acceptance,
    });
    const patience = new AbortController();
    let isHandedOver = false;
    let timer = setTimeout(() => patience.abort(), conversation);
    const noteEnd = () => {
      isHandedOver = true;
      clearTimeout(timer);
      timer = setTimeout(() => patience.abort(), acceptance);
    };
    // nodemailer reads the contents when the server asks for them; the final dot follows at once.
    transport.use('stream', ({ message }, done) => {
      message.processFunc((contents) => contents.once('end', noteEnd));
      done();
    });
    try {
      const message = composeMessage(mail, from);
      await transport.sendMail({ ...message, signal: AbortSignal.any([signal, patience.signal]) });
      return { result: 'sent' };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return toFailure(patience.signal.aborted ? TIMED_OUT : (error as NodemailerError), isHandedOver);
    } finally {
      clearTimeout(timer);
    }
  };
}

const TIMED_OUT: NodemailerError = Object.assign(new Error('the server did not answer in time'), {
  code: 'ETIMEDOUT',
});
