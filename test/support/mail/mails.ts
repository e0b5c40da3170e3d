/** Complete and valid mails. A test gives only the facts that it is about. */
import type { FilterId } from '#domain/ids.ts';
import type { MailFacts, MailKind, MailRecipient, QueuedMail } from '#domain/mail/queued-mail.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';

export function aMailRecipient(given: Partial<MailRecipient> = {}): MailRecipient {
  return { userId: newId(), email: 'ada@example.com', name: 'Ada Lovelace', ...given };
}

export function aMail(given: Partial<Pick<QueuedMail, 'requestId' | 'to'>> = {}): QueuedMail {
  return {
    kind: 'deletion-approved',
    requestId: newId(),
    to: aMailRecipient(),
    facts: FACTS['deletion-approved'],
    ...given,
  };
}

/** A mail of the kind, with the same facts in all tests. */
export function aMailOfKind<K extends MailKind>(
  kind: K,
  given: Partial<Pick<QueuedMail, 'requestId' | 'to'>> & { readonly facts?: Partial<MailFacts[K]> } = {},
): Extract<QueuedMail, { kind: K }> {
  const { facts, ...rest } = given;
  const mail = { ...aMail(rest), kind, facts: { ...FACTS[kind], ...facts } };
  return mail as unknown as Extract<QueuedMail, { kind: K }>;
}

const FILTER_FACTS = {
  filterId: newId<'filter'>(),
  ...{ filterName: 'Servers without backup', subscriptionName: 'Mails to the backup team', count: 204 },
};

const REVIEW_FACTS = {
  requester: aMailRecipient({ email: 'grace@example.com', name: 'Grace Hopper' }),
  reason: 'I am moving on.',
  requestedAt: SOME_INSTANT,
  processBy: SOME_INSTANT + 720 * 3_600_000,
};

const FACTS: MailFacts = {
  'deletion-review': REVIEW_FACTS,
  'deletion-reminder': REVIEW_FACTS,
  'deletion-approved': { requestedAt: SOME_INSTANT, deletionAt: SOME_INSTANT + 720 * 3_600_000 },
  'deletion-rejected': { requestedAt: SOME_INSTANT, adminNote: 'You still own the print server.' },
  'deletion-completed': { completedAt: SOME_INSTANT + 720 * 3_600_000 },
  'mfa-enrolled': { at: SOME_INSTANT },
  'recovery-code-used': { at: SOME_INSTANT },
  'codes-guessed': { at: SOME_INSTANT },
  'api-key-created': { at: SOME_INSTANT, name: 'Nightly export' },
  'api-key-revoked': { at: SOME_INSTANT, name: 'Nightly export' },
  'password-changed': { at: SOME_INSTANT },
  'recovery-codes-renewed': { at: SOME_INSTANT },
  'mfa-removed': { at: SOME_INSTANT },
  'passkey-added': { at: SOME_INSTANT, name: 'Work laptop' },
  'passkey-removed': { at: SOME_INSTANT, name: 'Work laptop' },
  'provider-linked': { at: SOME_INSTANT, name: 'Entra' },
  'provider-unlinked': { at: SOME_INSTANT, name: 'Entra' },
  'password-reset': { at: SOME_INSTANT },
  invitation: {
    token: `fsl_${'i'.repeat(43)}`,
    expiresAt: SOME_INSTANT + 7 * 86_400_000,
    inviter: 'Grace Hopper',
    place: 'Kestrel Lane',
  },
  'password-reset-link': {
    token: `fsl_${'r'.repeat(43)}`,
    at: SOME_INSTANT,
    expiresAt: SOME_INSTANT + 1_800_000,
  },
  'provider-gone': {
    token: `fsl_${'g'.repeat(43)}`,
    expiresAt: SOME_INSTANT + 7 * 86_400_000,
    name: 'Entra',
  },
  'filter-changes': {
    ...FILTER_FACTS,
    ...{ from: SOME_INSTANT, to: SOME_INSTANT + 60_000, passing: 0, evaluation: null, isComplete: true },
    entered: { count: 2, names: ['till-7', 'till-8'] },
    left: { count: 1, names: ['kiosk'] },
  },
  'filter-count': { ...FILTER_FACTS, at: SOME_INSTANT, isBack: false, line: { above: 200 } },
  'webhook-paused': {
    at: SOME_INSTANT,
    name: 'Patch group',
    filterId: '01a20146-3761-70a3-8118-b63b5b8966e9' as FilterId,
    problem: 'it answered 503',
  },
};
