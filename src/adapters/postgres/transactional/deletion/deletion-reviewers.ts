import type { EntityManager } from '@mikro-orm/postgresql';
import type { Attribution } from '#domain/access/attribution.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import type { UserId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';

/**
 * Active holders of users:write who reach the tenant, by id: `isWithinReach` inverted. Within the system scope only.
 */
export async function findDeletionReviewers(
  em: EntityManager,
  { orgId, partnerId }: Attribution,
): Promise<readonly MailRecipient[]> {
  const ownerOfStaff = orgId === null ? partnerId : null;
  const rows = await em.execute<ReviewerRow[]>(SELECT_REVIEWERS, [
    USERS_WRITE,
    orgId,
    orgId,
    ownerOfStaff,
    orgId,
  ]);
  return rows.map(({ id, email, name }) => ({ userId: id, email, name }));
}

interface ReviewerRow {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
}

/** Raw: one statement tests all users against every way of reaching a tenant. */
const SELECT_REVIEWERS = `
  select u.id, u.email, u.name from app_user u
  where u.status = 'active' and ? = any(u.permissions) and (
    u.scope = 'system'
    or u.org_id = ?
    or (u.scope = 'partner' and not u.has_org_subset
        and u.partner_id = coalesce((select o.partner_id from organization o where o.id = ?), ?))
    or exists (
      select 1 from app_user_organization uo join organization o on o.id = uo.org_id
      where uo.user_id = u.id and u.has_org_subset and uo.org_id = ? and o.partner_id = u.partner_id))
  order by u.id`;
