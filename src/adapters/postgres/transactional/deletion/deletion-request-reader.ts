import { IsolationLevel, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  DeletionRequestRow,
  toDeletionRequest,
} from '#adapters/postgres/transactional/entities/deletion-request-row.ts';
import { UserRow } from '#adapters/postgres/transactional/entities/user-rows.ts';
import { type Orm, withinReach } from '#adapters/postgres/transactional/orm.ts';
import type {
  DeletionRequestReader,
  RequestForReview,
} from '#application/ports/deletion/deletion-request-store.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { DeletionRequest } from '#domain/deletion/deletion-request.ts';
import type { UserId } from '#domain/ids.ts';

export function makeDeletionRequestReader(orm: Orm): DeletionRequestReader {
  return {
    findLatestOf: (userId) => orm.withScope(SYSTEM_SCOPE, (em) => findLatestRequestOf(em, userId)),
    find: (scope, id) =>
      orm.withScope(scope, async (em) => {
        const rows = await em.find(DeletionRequestRow, { id, ...withinReach(scope) });
        const [found] = await withUsers(em, scope, rows);
        return found ?? null;
      }),
    list: (scope, { status, orgId, limit, offset }) =>
      orm.withScope(
        scope,
        async (em) => {
          const where = {
            $and: [
              withinReach(scope),
              ...(status === null ? [] : [{ status }]),
              ...(orgId === null ? [] : [{ orgId }]),
            ],
          };
          const [rows, total] = await em.findAndCount(DeletionRequestRow, where, {
            orderBy: { requestedAt: 'desc', id: 'desc' },
            limit,
            offset,
          });
          return { requests: await withUsers(em, scope, rows), total };
        },
        { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
      ),
    countPending: (scope) =>
      orm.withScope(scope, (em) =>
        em.count(DeletionRequestRow, { status: 'pending', ...withinReach(scope) }),
      ),
    findNotes: (scope, ids) =>
      orm.withScope(scope, async (em) => {
        const where = { id: { $in: [...ids] }, adminNote: { $ne: null }, ...withinReach(scope) };
        const rows = await em.find(DeletionRequestRow, where, { fields: ['id', 'adminNote'] });
        return new Map(rows.map(({ id, adminNote }) => [id, adminNote ?? '']));
      }),
  };
}

/** The user's open request, else the newest. Needs the system scope. */
export async function findLatestRequestOf(
  em: EntityManager,
  userId: UserId,
): Promise<DeletionRequest | null> {
  const [row] = await em.find(
    DeletionRequestRow,
    { user: userId },
    // Open requests come first, even if a closed one looks newer because the clock was set back.
    { orderBy: [{ [raw(IS_OPEN)]: 'desc' }, { requestedAt: 'desc', id: 'desc' }], limit: 1 },
  );
  return row === undefined ? null : toDeletionRequest(row);
}

const IS_OPEN = `status in ('pending', 'processing')`;

async function withUsers(
  em: EntityManager,
  scope: AccessScope,
  rows: readonly DeletionRequestRow[],
): Promise<readonly RequestForReview[]> {
  const ids = [
    ...new Set(
      rows.flatMap(({ user, processedBy }) => (processedBy === null ? [user.id] : [user.id, processedBy])),
    ),
  ];
  const users = await em.find(
    UserRow,
    { id: { $in: ids }, status: { $ne: 'deleted' }, ...withinReach(scope) },
    { fields: ['id', 'email', 'name'] },
  );
  const byId = new Map(users.map((user) => [user.id, user]));
  return rows.map((row) => {
    const { id } = row.user;
    const { email = null, name = null } = byId.get(id) ?? {};
    const decider = row.processedBy === null ? undefined : byId.get(row.processedBy);
    return { request: toDeletionRequest(row), user: { id, email, name }, deciderName: decider?.name ?? null };
  });
}
