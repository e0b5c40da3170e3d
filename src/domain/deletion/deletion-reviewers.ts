import { USERS_WRITE } from '#domain/access/permission.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { UserId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';

/** An active person who reaches a request. */
export interface ReviewerCandidate {
  readonly person: MailRecipient;
  readonly scope: Membership['scope'];
  readonly permissions: readonly string[];
  readonly isPlatformAdmin: boolean;
}

/**
 * Who gets mails about a pending request (Contract: §7, "Mail"): administrators of the requester's organization, else
 * those of the partner, else platform administrators. The requester is never among them.
 */
export function chooseReviewers(
  candidates: readonly ReviewerCandidate[],
  requesterId: UserId,
): readonly MailRecipient[] {
  const others = candidates.filter(({ person }) => person.userId !== requesterId);
  const administrators = others.filter(({ permissions }) => permissions.includes(USERS_WRITE));
  const groups = [
    administrators.filter(({ scope }) => scope === 'organization'),
    administrators.filter(({ scope }) => scope === 'partner'),
    others.filter(({ isPlatformAdmin }) => isPlatformAdmin),
  ];
  return (groups.find((group) => group.length > 0) ?? []).map(({ person }) => person);
}
