/**
 * The outbox as its suites use it. The store is shared with other suites, so each test first empties the outbox of
 * due mails.
 */
import type { ClaimedMail, MailSummary } from '#application/ports/mail/mail-outbox.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { MailRecipient, QueuedMail } from '#domain/mail/queued-mail.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { aUser, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { aMailRecipient } from '#test/support/mail/mails.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

export const LEASE_MS = 60_000;

/** Any mail of these suites is queued later, as both backends take the time from the system's clock. */
export const QUEUED_AFTER = Date.now() - 60_000;

/** Any mail of these suites is queued before this. */
export const SOON = QUEUED_AFTER + 3_600_000;

/** A user who is stored. */
export async function createRecipient(backend: ContractBackend): Promise<MailRecipient> {
  const { orgId } = await createTenant(backend);
  const user = aUser({ membership: { scope: 'organization', orgId } });
  await loadFleet(backend, [user]);
  return aMailRecipient({ userId: user.id });
}

export function queue(
  backend: ContractBackend,
  mail: QueuedMail,
  scope: AccessScope = SYSTEM_SCOPE,
): Promise<void> {
  return backend.unitOfWork(scope, (tx) => tx.mail(mail));
}

/** Takes everything that is due out of the way. */
export async function emptyOutbox({ mailOutbox }: ContractBackend): Promise<void> {
  for (;;) {
    const claimed = await mailOutbox.claim(SOON * 2, 0);
    if (claimed === null) return;
    await mailOutbox.settle(claimed, { status: 'sent', at: SOON });
  }
}

/** The one mail that is due. */
export async function claimOne({ mailOutbox }: ContractBackend, now = SOON): Promise<ClaimedMail> {
  const claimed = await mailOutbox.claim(now, LEASE_MS);
  if (claimed === null) throw new Error('no mail is due');
  return claimed;
}

/** What an operator sees of the request's mails, oldest first. */
export async function summariesOf(
  { mailOutbox }: ContractBackend,
  { requestId }: Pick<QueuedMail, 'requestId'>,
): Promise<readonly MailSummary[]> {
  const all = await mailOutbox.list(null, 1_000_000);
  return all.filter((mail) => mail.requestId === requestId).toReversed();
}
