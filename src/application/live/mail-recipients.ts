/** The recipients of a subscription's mails (Contract: §17). */
import type { FieldError } from '#application/application-error.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { Attribution } from '#domain/access/ownership.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import { parseRecipients } from './subscription-input.ts';

/**
 * Locks the people with these ids. Returns those who are active and reach the organization or, if it is null, the whole
 * partner. Needs the system scope. Call it before a subscription is locked, to avoid deadlocks with erasures.
 */
export async function holdRecipients(
  { people }: Pick<Transaction, 'people'>,
  { orgId, partnerId }: Attribution,
  ids: readonly UserId[],
): Promise<readonly MailRecipient[]> {
  const reaches = async (membership: Membership): Promise<boolean> => {
    if (membership.scope === 'system') return true;
    if (membership.scope === 'organization') return membership.orgId === orgId;
    const { orgIds } = membership;
    if (orgId === null) return orgIds === null && membership.partnerId === partnerId;
    return (
      (orgIds === null || orgIds.includes(orgId)) && people.placeExists({ ...membership, orgIds: [orgId] })
    );
  };
  const held: MailRecipient[] = [];
  for (const id of [...ids].sort()) {
    const person = await people.hold(id);
    if (person?.status !== 'active' || !(await reaches(person.membership))) continue;
    held.push({ userId: id, email: person.email, name: person.name });
  }
  return held;
}

/**
 * Refuses new recipients who do not reach the filter. Recipients of `known` may stay, but get no mail while
 * they do not reach it.
 */
export async function refuseRecipients(
  { unitOfWork }: { readonly unitOfWork: UnitOfWork },
  owner: Attribution,
  sent: unknown,
  known: Subscription | null,
): Promise<readonly FieldError[]> {
  const parsed = parseRecipients(sent);
  if (!parsed.ok) return [];
  const added = parsed.value.filter((id) => !known?.recipients?.includes(id));
  if (added.length === 0) return [];
  const held = await unitOfWork(SYSTEM_SCOPE, (tx) => holdRecipients(tx, owner, added));
  const reaching = new Set(held.map(({ userId }) => userId));
  return added
    .filter((id) => !reaching.has(id))
    .map((id) => ({
      ...{ path: 'recipients', code: 'unknown_user' },
      message: `recipients has ${id}, which must be the id of an active person who reaches the filter`,
    }));
}
