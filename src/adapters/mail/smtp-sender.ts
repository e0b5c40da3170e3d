/** Sends each mail over a separate connection. */
import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer';
import type { MailSender, OutgoingMail, SendOutcome } from '#application/ports/mail/mail-sender.ts';

/** The sender in MAIL_FROM. */
export interface MailFrom {
  readonly name: string | null;
  readonly address: string;
}

/** Deterministic: a repeated mail is the same message. */
export function composeMessage(mail: OutgoingMail, from: MailFrom): SendMailOptions {
  const { id, email, name, subject, text, html, queuedAt } = mail;
  return {
    from: { name: from.name ?? '', address: from.address },
    to: { name: name ?? '', address: email },
    // Explicit, so no header can add a recipient.
    envelope: { from: from.address, to: [email] },
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    date: new Date(queuedAt),
    subject,
    text: SEVEN_BIT_TEXT.test(text) ? { raw: `${SEVEN_BIT_HEADERS}\r\n\r\n${text}` } : text,
    html,
    // Suppresses out-of-office replies (RFC 3834, and the header for Exchange).
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** ASCII without carriage returns, in lines of at most 998 characters (RFC 5322, 2.1.1). */
const SEVEN_BIT_TEXT = /^(?:[\t\x20-\x7e]{0,998}(?:\n|$))+$/;

/**
 * ASCII texts are sent raw with these headers, because nodemailer would break lines after 76 characters, even
 * within links.
 */
const SEVEN_BIT_HEADERS = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit';

/** Checks only the form, because only a mail server knows whether the address exists. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}

/** The longest SMTP path without brackets (RFC 5321, 4.5.3.1.3). */
const MAX_LENGTH = 254;

// One @ with unquoted text on both sides (RFC 5321's Dot-string, and letters beyond ASCII). Addresses that need
// quotes would be read as lists: nodemailer sends mail for "a,b@example.com" to b@example.com.
const ADDRESS = /^[^\s\p{Cc}\p{Cs}()<>[\]\\,;:@"]+@[^\s\p{Cc}\p{Cs}()<>[\]\\,;:@"]+$/u;

// How each failure is treated:
// - A 4yz reply is transient, a 5yz reply permanent (RFC 5321, 4.2.1).
// - Only a reply to MAIL, RCPT or DATA is about the mail. An earlier refusal is about this client, so all
//   mails wait.
// - A server that fell silent after the whole mail may have accepted it, so this mail is retried rarely.

type Failure = Exclude<SendOutcome, { result: 'sent' }>;

export function toFailure(error: NodemailerError, isHandedOver: boolean): Failure {
  const { code = error.name, command, responseCode, response } = error;
  if (responseCode === undefined || command === undefined) {
    if (isHandedOver) {
      return { result: 'deferred', problem: `${MAY_HAVE_ARRIVED}: ${redact(error.message)}`, code };
    }
    return { result: withoutAnswer(code), problem: redact(error.message), code };
  }
  return {
    result: withAnswer(command, responseCode),
    problem: redact(`${response ?? responseCode} (${command})`),
    code: `${responseCode} ${command}`,
  };
}

const MAY_HAVE_ARRIVED = 'the server did not confirm the mail after receiving all of it; it may arrive twice';

const ABOUT_THE_MAIL: ReadonlySet<string> = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/** Replies about signing in, whatever the command (RFC 4954, section 6). */
const ABOUT_SIGNING_IN: ReadonlySet<number> = new Set([530, 534, 535, 538]);

function withAnswer(command: string, responseCode: number): Failure['result'] {
  if (!ABOUT_THE_MAIL.has(command) || ABOUT_SIGNING_IN.has(responseCode)) return 'unreachable';
  return responseCode >= 500 ? 'refused' : 'deferred';
}

function withoutAnswer(code: string): Failure['result'] {
  if (ABOUT_CONNECTIONS.has(code)) return 'unreachable';
  return ABOUT_CONTENTS.has(code) ? 'refused' : 'deferred';
}

const ABOUT_CONNECTIONS: ReadonlySet<string> = new Set([
  'EABORT',
  'EAUTH',
  'ECONNECTION',
  'EDNS',
  'ENOAUTH',
  'EPROTOCOL',
  'EPROXY',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
]);

const ABOUT_CONTENTS: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);

/** Removes addresses, because servers repeat them in refusals and logs must not contain them. */
function redact(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/[^\s<>"'(),;:]*@[^\s<>"'(),;:]*/gu, '…');
  return line.length <= MAX_PROBLEM ? line : `${line.slice(0, MAX_PROBLEM - 1)}…`;
}

const MAX_PROBLEM = 300;

export interface SmtpSenderOptions {
  /** `smtp://` (STARTTLS if offered) or `smtps://`, with user and password if needed. */
  readonly url: string;
  readonly from: MailFrom;
  /** Milliseconds. */
  readonly timeouts?: Partial<SmtpTimeouts>;
}

export interface SmtpTimeouts {
  readonly connect: number;
  readonly greeting: number;
  /** Limits the time until the server has the whole mail, so a slow server does not block the sender. */
  readonly conversation: number;
  /**
   * Limits the time from the end of the mail to the reply. Giving up earlier would send mail twice (RFC 5321,
   * 4.5.3.2.6).
   */
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
    // No pool, because it would resend a mail when a connection breaks.
    const transport = createTransport({
      url,
      connectionTimeout: connect,
      dnsTimeout: connect,
      greetingTimeout: greeting,
      // Allows silence in all phases together, because `patience` limits each phase.
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
    // nodemailer reads the contents when the server asks for them, so at their end the server has the mail.
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
