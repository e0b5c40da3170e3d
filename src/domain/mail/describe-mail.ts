/** What each kind of mail says. */
import type { EpochMs } from '#domain/time.ts';
import { typedLine, typedLines } from './clean-text.ts';
import type { MailBlock, MailContent } from './mail-content.ts';
import type { MailFacts, MailKind, MailRecipient, QueuedMail } from './queued-mail.ts';

/** `baseUrl` is where the service is found by its users, without a slash at its end. */
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
    subject: SUBJECTS['deletion-review'],
    heading: 'Somebody would like their account to be deleted',
    blocks: [
      paragraph(
        `${name ?? email} has asked for the deletion of their account. It is for you, or another administrator, to approve or to decline.`,
      ),
      {
        kind: 'facts',
        rows: [
          ...(name === null ? [] : [['Name', name] as const]),
          ['Email', email],
          ['Requested', formatInstant(requestedAt)],
          ['Deletion, if approved', formatInstant(processBy)],
        ],
      },
      quote('Their reason', reason ?? '') ?? paragraph('They gave no reason.'),
      {
        kind: 'link',
        label: 'Review the request',
        url: `${baseUrl}/admin/account-deletion-requests/${requestId}`,
      },
      paragraph('Until somebody decides, the account stays as it is, and its owner may cancel the request.'),
    ],
    footer: `You get this mail because you may manage users at ${baseUrl}.`,
  };
}

function describeApproved(
  { requestedAt, deletionAt }: MailFacts['deletion-approved'],
  baseUrl: string,
): Description {
  return {
    subject: SUBJECTS['deletion-approved'],
    heading: `Your account will be deleted on ${formatDay(deletionAt)}`,
    blocks: [
      paragraph(
        `An administrator has approved the request that you made on ${formatDay(requestedAt)} to have your account deleted.`,
      ),
      { kind: 'facts', rows: [['Deletion', formatInstant(deletionAt)]] },
      paragraph(
        'Until then your account works as usual; please save whatever you would like to keep. With the deletion your name, your email address and everything that you sign in with are removed for good. We will confirm it to this address.',
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
    subject: SUBJECTS['deletion-rejected'],
    heading: 'Your account was not deleted',
    blocks: [
      paragraph(
        `An administrator has declined the request that you made on ${formatDay(requestedAt)} to have your account deleted. Your account stays active, and nothing has been removed.`,
      ),
      quote('What the administrator wrote', adminNote) ?? paragraph('The administrator gave no reason.'),
      paragraph('You may ask again at any time:'),
      { kind: 'link', label: 'Ask for deletion', url: `${baseUrl}/account/delete` },
    ],
    footer: becauseOfAccount(baseUrl),
  };
}

function describeCompleted({ completedAt }: MailFacts['deletion-completed'], baseUrl: string): Description {
  return {
    subject: SUBJECTS['deletion-completed'],
    heading: 'Your account has been deleted',
    blocks: [
      paragraph(
        `As you asked, your account was deleted on ${formatInstant(completedAt)}. Your name, your email address and everything that you signed in with have been removed.`,
      ),
      paragraph(
        'This is the last mail that we send you: once it is on its way, we no longer have your address. Thank you for having been with us.',
      ),
    ],
    footer: `You get this mail because you had an account at ${baseUrl}.`,
  };
}

const SUBJECTS: Readonly<Record<MailKind, string>> = {
  'deletion-review': 'An account deletion request is waiting for your review',
  'deletion-approved': 'Your account deletion request was approved',
  'deletion-rejected': 'Your account deletion request was declined',
  'deletion-completed': 'Your account has been deleted',
};

/** Nobody's name or address needs more; what is longer is cut. */
const MAX_NAME = 100;
const MAX_EMAIL = 320;

/** Null where no name is known; an administrator made on the command line may have the email for one. */
function nameOf({ name, email }: MailRecipient): string | null {
  const line = typedLine(name ?? '', MAX_NAME);
  return line === '' || line === email ? null : line;
}

function becauseOfAccount(baseUrl: string): string {
  return `You get this mail because you have an account at ${baseUrl}.`;
}

function paragraph(text: string): MailBlock {
  return { kind: 'paragraph', text };
}

/** Null where there is nothing to be seen in the text. */
function quote(label: string, typed: string): MailBlock | null {
  const lines = typedLines(typed);
  return lines.length === 0 ? null : { kind: 'quote', label, lines };
}

/** As `Thursday, 12 March 2026`, in UTC. */
function formatDay(instant: EpochMs): string {
  return DAY.format(instant);
}

/** As `Thursday, 12 March 2026 at 08:00 UTC`. */
function formatInstant(instant: EpochMs): string {
  return `${DAY.format(instant)} at ${TIME.format(instant)} UTC`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
