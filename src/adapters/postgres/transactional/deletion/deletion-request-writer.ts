import type { EntityManager } from '@mikro-orm/postgresql';
import { withinReach } from '#adapters/postgres/transactional/attribution-filter.ts';
import {
  DeletionRequestRow,
  toDeletionRequest,
  toDeletionRequestRow,
} from '#adapters/postgres/transactional/entities/deletion-request-row.ts';
import { UserRow } from '#adapters/postgres/transactional/entities/user-row.ts';
import { FOR_UPDATE, holdActiveUser } from '#adapters/postgres/transactional/row-locks.ts';
import type { DeletionRequestWriter } from '#application/ports/deletion/deletion-request-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { isWithinReach } from '#domain/access/attribution.ts';
import { findLatestRequestOf } from './deletion-request-reader.ts';
import { findDeletionReviewers } from './deletion-reviewers.ts';
import { claimDueErasure, setErasureAside } from './erasure-claims.ts';

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
      em.create(DeletionRequestRow, { ...toDeletionRequestRow(request), ...noErasureFailed });
      await em.flush();
    },
    advance: async (from, next) => {
      const where = { id: next.id, status: from, ...withinReach(scope) };
      const row = await em.findOne(DeletionRequestRow, where, FOR_UPDATE);
      if (row === null) throw new Error(`request ${next.id} is not ${from} any more`);
      em.assign(row, toDeletionRequestRow(next));
      // Inserts come first in a flush, and a new request must find this one closed.
      await em.flush();
    },
    findReviewers: async (attribution) => {
      assertSystem();
      return findDeletionReviewers(em, attribution);
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
