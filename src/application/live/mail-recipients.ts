import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { Attribution } from '#domain/access/ownership.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';

/**
 * Those of these people who are active and reach the organization, or the whole partner. They are held until the
 * transaction, of system scope, ends. Call it before a subscription is locked, in the order of an erasure.
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
