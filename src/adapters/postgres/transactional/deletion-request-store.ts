/** Deletion requests on PostgreSQL. */
import { IsolationLevel, LockMode, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type {
  AccountHolder,
  DeletionRequestReader,
  DeletionRequestWriter,
  RequestForReview,
} from '#application/ports/deletion/deletion-request-store.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { type Attribution, isWithinReach } from '#domain/access/attribution.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import type { DeletionRequest } from '#domain/deletion/deletion-request.ts';
import { nextErasureAttempt } from '#domain/deletion/erasure-attempts.ts';
import type { DeletionRequestId, OrgId, PartnerId, UserId } from '#domain/ids.ts';
import type { MailRecipient } from '#domain/mail/queued-mail.ts';
import { withinReach } from './attribution-filter.ts';
import { UserRow } from './entities/access-rows.ts';
import {
  DeletionRequestRow,
  toDeletionRequest,
  toDeletionRequestRow,
} from './entities/deletion-request-row.ts';
import type { Orm } from './orm.ts';

export function makeDeletionRequestReader(orm: Orm): DeletionRequestReader {
  return {
    findLatestOf: (userId) => findLatestOf(orm.within(SYSTEM_SCOPE), userId),
    find: async (scope, id) => {
      const em = orm.within(scope);
      const row = await em.findOne(DeletionRequestRow, { id, ...withinReach(scope) });
      if (row === null) return null;
      const [found] = await withUsers(em, [toDeletionRequest(row)]);
      return found ?? null;
    },
    list: (scope, { status, limit, offset }) =>
      orm.within(scope).transactional(
        async (em) => {
          const where = { ...withinReach(scope), ...(status !== null && { status }) };
          const [rows, total] = await em.findAndCount(DeletionRequestRow, where, {
            orderBy: { requestedAt: 'desc', id: 'desc' },
            limit,
            offset,
          });
          return { requests: await withUsers(em, rows.map(toDeletionRequest)), total };
        },
        // One snapshot for the page and its total.
        { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
      ),
    countPending: (scope) =>
      orm.within(scope).count(DeletionRequestRow, { status: 'pending', ...withinReach(scope) }),
    findNotes: async (scope, ids) => {
      const rows = await orm
        .within(scope)
        .find(DeletionRequestRow, { id: { $in: [...ids] }, adminNote: { $ne: null }, ...withinReach(scope) });
      return new Map(rows.map(({ id, adminNote }) => [id as DeletionRequestId, adminNote ?? '']));
    },
  };
}

/** The requests of one transaction. */
export function deletionRequestWriter(em: EntityManager, scope: AccessScope): DeletionRequestWriter {
  const assertSystem = () => {
    if (scope.kind !== 'system') throw new Error('this is done within the system scope only');
  };
  return {
    holdAccount: async (userId) => {
      assertSystem();
      const [row] = await em.execute<HolderRow[]>(
        `select id, email, name, org_id, partner_id from app_user where id = ? and status = 'active'
         for no key update`,
        [userId],
      );
      return row === undefined ? null : toHolder(row);
    },
    findLatestOf: async (userId) => {
      assertSystem();
      return findLatestOf(em, userId);
    },
    findForUpdate: async (id) => {
      const row = await em.findOne(
        DeletionRequestRow,
        { id, ...withinReach(scope) },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      return row === null ? null : toDeletionRequest(row);
    },
    add: async (request) => {
      if (!isWithinReach(scope, request)) throw new Error(`request ${request.id} is out of reach`);
      await em.insert(DeletionRequestRow, toDeletionRequestRow(request));
    },
    advance: async (from, next) => {
      const { id, ...changed } = toDeletionRequestRow(next);
      const where = { id, status: from, ...withinReach(scope) };
      const count = await em.nativeUpdate(DeletionRequestRow, where, changed);
      if (count !== 1) throw new Error(`request ${id} is not ${from} any more`);
    },
    findReviewers: async (attribution) => {
      assertSystem();
      return findReviewers(em, attribution);
    },
    findPerson: async (userId) => {
      const row = await em.findOne(
        UserRow,
        { id: userId, status: { $ne: 'deleted' }, ...withinReach(scope) },
        { fields: ['id', 'email', 'name'] },
      );
      return row === null ? null : { userId, email: row.email, name: row.name };
    },
    claimDue: async (now) => {
      assertSystem();
      // The account is held too, against whatever would refer to it anew. Neither is waited for: whoever holds one
      // is not done with it.
      const [due] = await em.execute<{ id: string }[]>(
        `select r.id from account_deletion_request r join app_user u on u.id = r.user_id
         where r.status = 'processing' and r.process_by <= ?
           and (r.next_erasure_at is null or r.next_erasure_at <= ?)
         order by r.process_by, r.id limit 1
         for update of r, u skip locked`,
        [new Date(now), new Date(now)],
      );
      if (due === undefined) return null;
      const request = toDeletionRequest(await em.findOneOrFail(DeletionRequestRow, { id: due.id }));
      return request.status === 'processing' ? request : null;
    },
    setAside: async (id, { problem, failedAt }) => {
      assertSystem();
      const [row] = await em.execute<{ failures: number }[]>(
        `update account_deletion_request
         set erasure_failures = erasure_failures + 1, erasure_problem = ?
         where id = ? and status = 'processing' returning erasure_failures as failures`,
        [problem, id],
      );
      if (row === undefined) return null;
      const nextAttemptAt = nextErasureAttempt(row.failures, failedAt);
      await em.execute('update account_deletion_request set next_erasure_at = ? where id = ?', [
        new Date(nextAttemptAt),
        id,
      ]);
      return { failures: row.failures, nextAttemptAt };
    },
  };
}

async function findLatestOf(em: EntityManager, userId: UserId): Promise<DeletionRequest | null> {
  const [row] = await em.find(
    DeletionRequestRow,
    { userId },
    // Open before closed, though a clock that was set back may have it otherwise.
    { orderBy: [{ [raw(OPEN_FIRST)]: 'desc' }, { requestedAt: 'desc', id: 'desc' }], limit: 1 },
  );
  return row === undefined ? null : toDeletionRequest(row);
}

const OPEN_FIRST = `status in ('pending', 'processing')`;

/** In the order given, each with what is left of its user. */
async function withUsers(
  em: EntityManager,
  requests: readonly DeletionRequest[],
): Promise<readonly RequestForReview[]> {
  const ids = [...new Set(requests.map(({ userId }) => userId))];
  const rows = await em.find(UserRow, { id: { $in: ids } }, { fields: ['id', 'email', 'name', 'status'] });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return requests.map((request) => {
    const row = byId.get(request.userId);
    const isThere = row !== undefined && row.status !== 'deleted';
    return {
      request,
      user: { id: request.userId, email: isThere ? row.email : null, name: isThere ? row.name : null },
    };
  });
}

interface PersonRow {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
}

interface HolderRow extends PersonRow {
  readonly org_id: OrgId | null;
  readonly partner_id: PartnerId | null;
}

function toHolder(row: HolderRow): AccountHolder {
  return { person: toRecipient(row), orgId: row.org_id, partnerId: row.partner_id };
}

function toRecipient({ id, email, name }: PersonRow): MailRecipient {
  return { userId: id, email, name };
}

/** Says `isWithinReach` of every user at once: whose reach the tenant is in. */
async function findReviewers(
  em: EntityManager,
  { orgId, partnerId }: Attribution,
): Promise<readonly MailRecipient[]> {
  const rows = await em.execute<PersonRow[]>(
    `select u.id, u.email, u.name from app_user u
     where u.status = 'active' and ? = any(u.permissions) and (
       u.scope = 'system'
       or u.org_id = ?
       or (u.scope = 'partner' and not u.has_org_subset
           and u.partner_id = coalesce((select o.partner_id from organization o where o.id = ?), ?))
       or exists (
         select 1 from app_user_organization uo join organization o on o.id = uo.org_id
         where uo.user_id = u.id and u.has_org_subset and uo.org_id = ? and o.partner_id = u.partner_id))
     order by u.id`,
    [USERS_WRITE, orgId, orgId, orgId === null ? partnerId : null, orgId],
  );
  return rows.map(toRecipient);
}
