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
    text,
    html,
    // Suppresses out-of-office replies (RFC 3834, and the header that Exchange honours).
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
