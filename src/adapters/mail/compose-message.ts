/** Composes mails for nodemailer. */
import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from '#application/ports/mail/mail-sender.ts';

/** MAIL_FROM. */
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

/** ASCII in lines of at most 998 characters (RFC 5322, 2.1.1), without carriage returns. */
const SEVEN_BIT_TEXT = /^(?:[\t\x20-\x7e]{0,998}(?:\n|$))+$/;

/** nodemailer would break lines after 76 characters, even within links. */
const SEVEN_BIT_HEADERS = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit';
