import { describeFilterChanges, describeFilterCount } from './filter-mail-wording.ts';
import {
  formatDay,
  formatInstant,
  MAX_NAME,
  type MailBlock,
  type MailContent,
  paragraph,
  typedLine,
  typedLines,
} from './mail-content.ts';
import type { AccountNotice, MailFacts, MailRecipient, QueuedMail } from './queued-mail.ts';

/** `baseUrl` has no trailing slash. */
export function describeMail(mail: QueuedMail, baseUrl: string): MailContent {
  return { name: nameOf(mail.to), ...describe(mail, baseUrl) };
}

type Description = Omit<MailContent, 'name'>;

function describe(mail: QueuedMail, baseUrl: string): Description {
  const { requestId } = mail;
  switch (mail.kind) {
    case 'deletion-review':
      return describeReview(mail.facts, baseUrl, requestId);
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

function describeReview(
  { requester, reason, requestedAt, processBy }: MailFacts['deletion-review'],
  baseUrl: string,
  requestId: string,
): Description {
  const name = nameOf(requester);
  const email = typedLine(requester.email, MAX_EMAIL);
  return {
    subject: 'An account deletion request is waiting for your review',
    heading: 'Account deletion request',
    blocks: [
      paragraph(
        `${name ?? email} has asked for their account to be deleted. Please approve or reject the request; any other administrator who received this mail can do so as well.`,
      ),
      {
        kind: 'facts',
        rows: [
          ...(name === null ? [] : [['Name', name] as const]),
          ['Email', email],
          ['Requested', formatInstant(requestedAt)],
          ['Deletion date, if approved', formatInstant(processBy)],
        ],
      },
      quote('Their reason', reason ?? '') ?? paragraph('They gave no reason.'),
      {
        kind: 'link',
        label: 'Review the request',
        url: `${baseUrl}/admin/account-deletion-requests/${requestId}`,
      },
      paragraph(
        'Until the request is decided, the account stays active, and its owner can cancel the request.',
      ),
    ],
    footer: `You are receiving this mail because you can manage users at ${baseUrl}.`,
  };
}

function describeApproved(
  { requestedAt, deletionAt }: MailFacts['deletion-approved'],
  baseUrl: string,
): Description {
  return {
    subject: 'Your account deletion request was approved',
    heading: `Your account will be deleted on ${formatDay(deletionAt)}`,
    blocks: [
      paragraph(
        `An administrator has approved the request to delete your account that you made on ${formatDay(requestedAt)}.`,
      ),
      { kind: 'facts', rows: [['Deletion date', formatInstant(deletionAt)]] },
      paragraph(
        'Until then your account works as usual, so please save anything you want to keep. On that date your name, your email address and your sign-in details are permanently erased. We will confirm the deletion to this address.',
      ),
    ],
    footer: becauseOfAccount(baseUrl),
  };
}

function describeRejected(
  { requestedAt, adminNote }: MailFacts['deletion-rejected'],
  baseUrl: string,
): Description {
  return {
    subject: 'Your account deletion request was declined',
    heading: 'Your account will not be deleted',
    blocks: [
      paragraph(
        `An administrator has declined the request to delete your account that you made on ${formatDay(requestedAt)}. Your account stays active, and nothing has been removed.`,
      ),
      quote('The administrator wrote', adminNote) ?? paragraph('The administrator gave no reason.'),
      paragraph('You can make a new request at any time:'),
      { kind: 'link', label: 'Request deletion', url: `${baseUrl}/account/delete` },
    ],
    footer: becauseOfAccount(baseUrl),
  };
}

function describeCompleted({ completedAt }: MailFacts['deletion-completed'], baseUrl: string): Description {
  return {
    subject: 'Your account has been deleted',
    heading: 'Your account has been deleted',
    blocks: [
      paragraph(
        `As you requested, your account was deleted on ${formatInstant(completedAt)}. Your name, your email address and your sign-in details have been erased.`,
      ),
      paragraph(
        'This is the last mail you will receive from us: once it is sent, we no longer have your address. Thank you for having been with us.',
      ),
    ],
    footer: `You are receiving this mail because you had an account at ${baseUrl}.`,
  };
}

function describeWebhookPaused(
  { at, name, filterId, problem }: MailFacts['webhook-paused'],
  baseUrl: string,
): Description {
  return {
    subject: 'A webhook was paused',
    heading: 'A webhook was paused',
    blocks: [
      paragraph(
        problem === null
          ? 'It was paused because changes that its receiver was not told are no longer kept.'
          : 'Its receiver has not accepted a delivery for three days.',
      ),
      {
        kind: 'facts',
        rows: [
          ['Webhook', typedLine(name, MAX_NAME)],
          ['Paused', formatInstant(at)],
          ...(problem === null ? [] : [['Last attempt', typedLine(problem, MAX_PROBLEM)] as const]),
        ],
      },
      paragraph(
        problem === null
          ? 'The receiver has to read the members of the filter again, and resume the webhook from their cursor.'
          : 'Once the receiver works again, resume the webhook. It continues where it stopped.',
      ),
      { kind: 'link', label: 'Open the filter', url: `${baseUrl}/filters/${filterId}` },
    ],
    footer: `You are receiving this mail because you can change the webhook at ${baseUrl}.`,
  };
}

const MAX_PROBLEM = 200;

function describeInvitation(
  { token, expiresAt, inviter, place }: MailFacts['invitation'],
  baseUrl: string,
): Description {
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
): Description {
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
    footer: becauseOfAccount(baseUrl),
  };
}

function describeProviderGone(
  { token, expiresAt, name }: MailFacts['provider-gone'],
  baseUrl: string,
): Description {
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
    footer: becauseOfAccount(baseUrl),
  };
}

/** Contains nothing that helps to sign in. */
function describeNotice({ kind, facts }: AccountNotice, baseUrl: string): Description {
  const { subject, heading, text } = NOTICES[kind];
  const name = 'name' in facts ? typedLine(facts.name, MAX_NAME) : '';
  return {
    subject,
    heading,
    blocks: [
      paragraph(text),
      {
        kind: 'facts',
        rows: [
          ...(name === '' ? [] : [[whatIsNamed(kind), name] as const]),
          ['When', formatInstant(facts.at)],
        ],
      },
      paragraph(
        'If this was you, there is nothing to do. If it was not, tell your administrator at once: somebody else may have access to your account.',
      ),
    ],
    footer: becauseOfAccount(baseUrl),
  };
}

function whatIsNamed(kind: AccountNotice['kind']): string {
  if (kind.startsWith('passkey')) return 'Passkey';
  return kind.startsWith('provider') ? 'Identity provider' : 'Key';
}

const NOTICES: Readonly<Record<AccountNotice['kind'], Record<'subject' | 'heading' | 'text', string>>> = {
  'mfa-enrolled': {
    subject: 'An authenticator app was set up for your account',
    heading: 'An authenticator app was set up',
    text: 'An authenticator app was set up for your account, in place of any earlier one. Recovery codes from before no longer work, and you have been signed out everywhere else.',
  },
  'recovery-code-used': {
    subject: 'A recovery code of your account was used',
    heading: 'A recovery code was used',
    text: 'One of your recovery codes was used in place of a code from your authenticator app. It does not work again.',
  },
  'codes-guessed': {
    subject: 'Many wrong codes were entered for your account',
    heading: 'Many wrong codes were entered for your account',
    text: 'In the last 24 hours, 20 wrong codes from an authenticator app were entered for your account. The person who entered them may know your password. For up to 24 hours, codes are accepted only from networks that you have signed in from before.',
  },
  'api-key-created': {
    subject: 'An API key was created for your account',
    heading: 'An API key was created',
    text: 'An API key that acts on your behalf was created.',
  },
  'api-key-revoked': {
    subject: 'An API key of your account was revoked',
    heading: 'An API key was revoked',
    text: 'One of your API keys was revoked and no longer works.',
  },
  'password-changed': {
    subject: 'The password of your account was changed',
    heading: 'Your password was changed',
    text: 'The password of your account was changed. The earlier one no longer works, and you have been signed out everywhere else. API keys still work.',
  },
  'recovery-codes-renewed': {
    subject: 'New recovery codes were made for your account',
    heading: 'New recovery codes were made',
    text: 'New recovery codes were made for your account. Recovery codes from before no longer work.',
  },
  'passkey-added': {
    subject: 'A passkey was added to your account',
    heading: 'A passkey was added',
    text: 'A passkey was added to your account. It signs in without your password and without a code.',
  },
  'passkey-removed': {
    subject: 'A passkey of your account was removed',
    heading: 'A passkey was removed',
    text: 'One of your passkeys was removed and no longer signs in. You have been signed out everywhere else.',
  },
  'provider-linked': {
    subject: 'An identity provider can now sign in to your account',
    heading: 'An identity provider was linked',
    text: 'Your account was linked to an identity provider. Anyone who can sign in there as you can now sign in to your account.',
  },
  'provider-unlinked': {
    subject: 'An identity provider no longer signs in to your account',
    heading: 'An identity provider was unlinked',
    text: 'Your account is no longer linked to an identity provider, which can no longer sign you in.',
  },
  'mfa-removed': {
    subject: 'The second factor of your account was removed',
    heading: 'Your second factor was removed',
    text: 'An operator of the service has removed the second factor of your account and its recovery codes. You have been signed out everywhere. Sign in with your password, and set up a new second factor in your settings.',
  },
  'password-reset': {
    subject: 'The password of your account was changed',
    heading: 'Your password was changed',
    text: 'A new password was set for your account with a link that was sent to this address. The earlier one no longer works, and you have been signed out everywhere. API keys still work.',
  },
};

/** In code points; longer texts are cut. */
const MAX_EMAIL = 320;

/** Null if unknown. `admin create` may store the email as the name. */
function nameOf({ name, email }: MailRecipient): string | null {
  const line = typedLine(name ?? '', MAX_NAME);
  return line === '' || line === email ? null : line;
}

function becauseOfAccount(baseUrl: string): string {
  return `You are receiving this mail because you have an account at ${baseUrl}.`;
}

function quote(label: string, typed: string): MailBlock | null {
  const lines = typedLines(typed);
  return lines.length === 0 ? null : { kind: 'quote', label, lines };
}
