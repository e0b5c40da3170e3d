/** Composes a mail in the form that nodemailer expects. */
import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from '#application/ports/mail/mail-sender.ts';

/** The sender of all mails (MAIL_FROM). */
export interface MailFrom {
  readonly name: string | null;
  readonly address: string;
}

/** Deterministic: a mail that is sent again is the same message. */
export function composeMessage(mail: OutgoingMail, from: MailFrom): SendMailOptions {
  const { id, email, name, subject, text, html, queuedAt } = mail;
  return {
    from: { name: from.name ?? '', address: from.address },
    to: { name: name ?? '', address: email },
    // Given explicitly, so that no header can add a recipient.
    envelope: { from: from.address, to: [email] },
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    date: new Date(queuedAt),
    subject,
    text: SEVEN_BIT_TEXT.test(text) ? { raw: `${SEVEN_BIT_HEADERS}\r\n\r\n${text}` } : text,
    html,
    // Suppresses out-of-office replies (RFC 3834, and the header that Exchange honours).
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** ASCII in lines that every server takes (RFC 5322, 2.1.1): 998 characters, without a carriage return of its own. */
const SEVEN_BIT_TEXT = /^(?:[\t\x20-\x7e]{0,998}(?:\n|$))+$/;

/** nodemailer would break each line after 76 characters, in the middle of a link that somebody copies from a file. */
const SEVEN_BIT_HEADERS = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit';
