/** A mail as nodemailer takes it. */
import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from '#application/ports/mail/mail-sender.ts';

/** Who the service writes as (MAIL_FROM). */
export interface MailFrom {
  readonly name: string | null;
  readonly address: string;
}

/** The same message every time it is sent. */
export function composeMessage(mail: OutgoingMail, from: MailFrom): SendMailOptions {
  const { id, email, name, subject, text, html, queuedAt } = mail;
  return {
    from: { name: from.name ?? '', address: from.address },
    to: { name: name ?? '', address: email },
    // Said apart, so that no header can add a recipient.
    envelope: { from: from.address, to: [email] },
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    date: new Date(queuedAt),
    subject,
    text,
    html,
    // Nobody's out-of-office note is to answer this (RFC 3834, and what Exchange looks at).
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
