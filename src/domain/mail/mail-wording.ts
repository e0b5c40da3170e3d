import { describeNotice } from './account-notice-wording.ts';
import {
  describeApproved,
  describeCompleted,
  describeRejected,
  describeReminder,
  describeReview,
} from './deletion-mail-wording.ts';
import { describeFilterChanges, describeFilterCount, describeWebhookPaused } from './filter-mail-wording.ts';
import {
  accountFooter,
  formatInstant,
  MAX_NAME,
  type MailContent,
  type MailWording,
  nameOf,
  paragraph,
  typedLine,
} from './mail-content.ts';
import type { MailFacts, QueuedMail } from './queued-mail.ts';

/** `baseUrl` has no trailing slash. */
export function describeMail(mail: QueuedMail, baseUrl: string): MailContent {
  return { name: nameOf(mail.to), ...describe(mail, baseUrl) };
}

function describe(mail: QueuedMail, baseUrl: string): MailWording {
  const { requestId } = mail;
  switch (mail.kind) {
    case 'deletion-review':
      return describeReview(mail.facts, baseUrl, requestId);
    case 'deletion-reminder':
      return describeReminder(mail.facts, baseUrl, requestId);
    case 'deletion-approved':
      return describeApproved(mail.facts, baseUrl);
    case 'deletion-rejected':
      return describeRejected(mail.facts, baseUrl);
    case 'deletion-completed':
      return describeCompleted(mail.facts, baseUrl);
    case 'invitation':
      return describeInvitation(mail.facts, baseUrl);
    case 'password-reset-link':
      return describeResetLink(mail.facts, baseUrl);
    case 'provider-gone':
      return describeProviderGone(mail.facts, baseUrl);
    case 'filter-changes':
      return describeFilterChanges(mail.facts, baseUrl);
    case 'filter-count':
      return describeFilterCount(mail.facts, baseUrl);
    case 'webhook-paused':
      return describeWebhookPaused(mail.facts, baseUrl);
    default:
      return describeNotice(mail, baseUrl);
  }
}

function describeInvitation(
  { token, expiresAt, inviter, place }: MailFacts['invitation'],
  baseUrl: string,
): MailWording {
  const by = typedLine(inviter ?? '', MAX_NAME);
  const where = typedLine(place ?? '', MAX_NAME);
  return {
    subject: 'You are invited to Fleetsift',
    heading: 'You are invited to Fleetsift',
    blocks: [
      paragraph(
        'An account was made for you. Set a password to begin, then sign in with this email address.',
      ),
      {
        kind: 'facts',
        rows: [
          ...(by === '' ? [] : [['Invited by', by] as const]),
          ...(where === '' ? [] : [['Organization', where] as const]),
          ['Valid until', formatInstant(expiresAt)],
        ],
      },
      { kind: 'link', label: 'Set your password', url: `${baseUrl}/invitation#${token}` },
      paragraph('The link works once. If you did not expect this mail, you can ignore it.'),
    ],
    footer: `You are receiving this mail because an administrator invited you to ${baseUrl}.`,
  };
}

function describeResetLink(
  { token, at, expiresAt }: MailFacts['password-reset-link'],
  baseUrl: string,
): MailWording {
  return {
    subject: 'Set a new password',
    heading: 'Set a new password',
    blocks: [
      paragraph('Somebody asked for a new password for your account. If it was you, set it with this link.'),
      {
        kind: 'facts',
        rows: [
          ['Asked for', formatInstant(at)],
          ['Valid until', formatInstant(expiresAt)],
        ],
      },
      { kind: 'link', label: 'Set a new password', url: `${baseUrl}/reset-password#${token}` },
      paragraph('The link works once. If it was not you, ignore this mail: your password stays as it is.'),
    ],
    footer: accountFooter(baseUrl),
  };
}

function describeProviderGone(
  { token, expiresAt, name }: MailFacts['provider-gone'],
  baseUrl: string,
): MailWording {
  return {
    subject: 'Set a password for your account',
    heading: 'Set a password for your account',
    blocks: [
      paragraph(
        'An administrator has removed the identity provider that signed you in. Your account stays. Set a password, and sign in with it and this email address from now on.',
      ),
      {
        kind: 'facts',
        rows: [
          ['Identity provider', typedLine(name, MAX_NAME)],
          ['Valid until', formatInstant(expiresAt)],
        ],
      },
      { kind: 'link', label: 'Set a password', url: `${baseUrl}/reset-password#${token}` },
      paragraph('The link works once. After that date, ask your administrator.'),
    ],
    footer: accountFooter(baseUrl),
  };
}
