/** Mails about requests to delete an account (Contract: §7). */
import {
  accountFooter,
  formatDay,
  formatInstant,
  type MailBlock,
  type MailWording,
  nameOf,
  paragraph,
  typedLine,
  typedLines,
} from './mail-content.ts';
import type { MailFacts, ReviewFacts } from './queued-mail.ts';

export function describeReview(facts: ReviewFacts, baseUrl: string, requestId: string): MailWording {
  return {
    subject: 'An account deletion request is waiting for your review',
    ...describeRequest(facts, baseUrl, requestId, {
      opening: 'has asked for their account to be deleted.',
      deadline: 'Deletion date, if approved',
    }),
  };
}

export function describeReminder(facts: ReviewFacts, baseUrl: string, requestId: string): MailWording {
  return {
    subject: 'An account deletion request still waits for your review',
    ...describeRequest(facts, baseUrl, requestId, {
      opening: `asked on ${formatDay(facts.requestedAt)} for their account to be deleted, and nobody has decided yet.`,
      deadline: 'To be processed by',
    }),
  };
}

function describeRequest(
  { requester, reason, requestedAt, processBy }: ReviewFacts,
  baseUrl: string,
  requestId: string,
  { opening, deadline }: { readonly opening: string; readonly deadline: string },
): Omit<MailWording, 'subject'> {
  const name = nameOf(requester);
  const email = typedLine(requester.email, MAX_EMAIL);
  return {
    heading: 'Account deletion request',
    blocks: [
      paragraph(
        `${name ?? email} ${opening} Please approve or reject the request; any other administrator who received this mail can do so as well.`,
      ),
      {
        kind: 'facts',
        rows: [
          ...(name === null ? [] : [['Name', name] as const]),
          ['Email', email],
          ['Requested', formatInstant(requestedAt)],
          [deadline, formatInstant(processBy)],
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

export function describeApproved(
  { requestedAt, deletionAt }: MailFacts['deletion-approved'],
  baseUrl: string,
): MailWording {
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
    footer: accountFooter(baseUrl),
  };
}

export function describeRejected(
  { requestedAt, adminNote }: MailFacts['deletion-rejected'],
  baseUrl: string,
): MailWording {
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
    footer: accountFooter(baseUrl),
  };
}

export function describeCompleted(
  { completedAt }: MailFacts['deletion-completed'],
  baseUrl: string,
): MailWording {
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

/** In code points; longer texts are cut. */
const MAX_EMAIL = 320;

function quote(label: string, typed: string): MailBlock | null {
  const lines = typedLines(typed);
  return lines.length === 0 ? null : { kind: 'quote', label, lines };
}
