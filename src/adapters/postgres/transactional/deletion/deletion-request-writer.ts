import type { EntityManager } from '@mikro-orm/postgresql';
import {
  DeletionRequestRow,
  toDeletionRequest,
  toDeletionRequestRow,
} from '#adapters/postgres/transactional/entities/deletion-request-row.ts';
import { UserRow } from '#adapters/postgres/transactional/entities/user-rows.ts';
import { placesOf, REACHES_TENANT } from '#adapters/postgres/transactional/identity/people-store.ts';
import { FOR_UPDATE, holdActiveUser, withinReach } from '#adapters/postgres/transactional/orm.ts';
import type { DeletionRequestWriter } from '#application/ports/deletion/deletion-request-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { type Attribution, isWithinReach } from '#domain/access/ownership.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { type PendingRequest, REMINDER_LEAD_MS } from '#domain/deletion/deletion-request.ts';
import type { ReviewerCandidate } from '#domain/deletion/deletion-reviewers.ts';
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import { claimDueErasure, setErasureAside } from './claim-erasure.ts';
import { findLatestRequestOf } from './deletion-request-reader.ts';

async function findReviewerCandidates(
  em: EntityManager,
  attribution: Attribution,
): Promise<readonly ReviewerCandidate[]> {
  const rows = await em.execute<CandidateRow[]>(SELECT_CANDIDATES, [USERS_WRITE, ...placesOf(attribution)]);
  return rows.map(({ id, email, name, scope, permissions, is_platform_admin }) => ({
    person: { userId: id, email, name },
    ...{ scope, permissions, isPlatformAdmin: is_platform_admin },
  }));
}

interface CandidateRow {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly scope: ReviewerCandidate['scope'];
  readonly permissions: readonly string[];
  readonly is_platform_admin: boolean;
}

/** Raw SQL: one statement checks every way in which a user can reach a tenant. */
const SELECT_CANDIDATES = `
  select u.id, u.email, u.name, u.scope::text, u.permissions, u.is_platform_admin from app_user u
  where u.status = 'active' and (? = any(u.permissions) or u.is_platform_admin)
    and (u.scope = 'system' or ${REACHES_TENANT})
  order by u.id`;

async function takeReminder(em: EntityManager, now: EpochMs): Promise<PendingRequest | null> {
  await em.flush();
  const dueBy = new Date(now + REMINDER_LEAD_MS);
  const [taken] = await em.execute<object[]>(TAKE_REMINDER, [new Date(now), dueBy]);
  if (taken === undefined) return null;
  const request = toDeletionRequest(em.map(DeletionRequestRow, taken));
  return request.status === 'pending' ? request : null;
}

/** Raw SQL, for SKIP LOCKED on two tables. The account is locked because a move locks it before its request. */
const TAKE_REMINDER = `
  update account_deletion_request set reminded_at = ? where id = (
    select r.id from account_deletion_request r join app_user u on u.id = r.user_id
    where r.status = 'pending' and r.reminded_at is null and r.process_by <= ?
      and not exists (select 1 from maintenance m where m.owner_id in (r.org_id, r.partner_id))
    order by r.process_by, r.id limit 1
    for update of r, u skip locked)
  returning *`;

export function deletionRequestWriter(em: EntityManager, scope: AccessScope): DeletionRequestWriter {
  const assertSystem = () => {
    if (scope.kind !== 'system') throw new Error('this is possible within the system scope only');
  };
  return {
    holdAccount: async (userId) => {
      assertSystem();
      const user = await holdActiveUser(em, userId);
      if (user === null) return null;
      const { email, name, orgId, partnerId } = user;
      return { person: { userId, email, name }, orgId, partnerId };
    },
    findLatestOf: async (userId) => {
      assertSystem();
      return findLatestRequestOf(em, userId);
    },
    findForUpdate: async (id) => {
      const row = await em.findOne(DeletionRequestRow, { id, ...withinReach(scope) }, FOR_UPDATE);
      return row === null ? null : toDeletionRequest(row);
    },
    add: async (request) => {
      if (!isWithinReach(scope, request)) throw new Error(`request ${request.id} is out of reach`);
      const noErasureFailed = { erasureFailures: 0, erasureProblem: null, nextErasureAt: null };
      const inserted = { ...noErasureFailed, remindedAt: null };
      em.create(DeletionRequestRow, { ...toDeletionRequestRow(request), ...inserted });
      await em.flush();
    },
    advance: async (from, next) => {
      const where = { id: next.id, status: from, ...withinReach(scope) };
      const row = await em.findOne(DeletionRequestRow, where, FOR_UPDATE);
      if (row === null) throw new Error(`request ${next.id} is not ${from} any more`);
      em.assign(row, toDeletionRequestRow(next));
      // Without this flush, a later one would insert a new request before it closes this one.
      await em.flush();
    },
    findReviewerCandidates: async (attribution) => {
      assertSystem();
      return findReviewerCandidates(em, attribution);
    },
    takeReminder: async (now) => {
      assertSystem();
      return takeReminder(em, now);
    },
    findPerson: async (userId) => {
      const where = { id: userId, status: { $ne: 'deleted' as const }, ...withinReach(scope) };
      const user = await em.findOne(UserRow, where, { fields: ['id', 'email', 'name'] });
      return user === null ? null : { userId, email: user.email, name: user.name };
    },
    claimDue: async (now) => {
      assertSystem();
      return claimDueErasure(em, now);
    },
    setAside: async (id, failure) => {
      assertSystem();
      return setErasureAside(em, id, failure);
    },
  };
}
