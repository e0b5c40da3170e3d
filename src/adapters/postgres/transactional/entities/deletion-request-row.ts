/** An update fails if the tenant, status or failures have changed since they were read (`concurrencyCheck`). */
import { defineEntity, p } from '@mikro-orm/core';
import {
  type DeletionRequest,
  type DeletionStatus,
  type DeletionVerdict,
  verdictOf,
} from '#domain/deletion/deletion-request.ts';
import type { DeletionRequestId, OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { UserRow } from './user-rows.ts';

const DeletionRequestSchema = defineEntity({
  name: 'DeletionRequestRow',
  tableName: 'account_deletion_request',
  properties: {
    id: p.uuid().$type<DeletionRequestId>().primary(),
    user: () => p.manyToOne(UserRow),
    orgId: p.uuid().$type<OrgId>().strictNullable().concurrencyCheck(),
    partnerId: p.uuid().$type<PartnerId>().strictNullable().concurrencyCheck(),
    reason: p.text().strictNullable(),
    status: p.text().$type<DeletionStatus>().concurrencyCheck(),
    requestedAt: p.datetime(3),
    processBy: p.datetime(3),
    processedAt: p.datetime(3).strictNullable(),
    processedBy: p.uuid().$type<UserId>().strictNullable(),
    adminNote: p.text().strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    erasureFailures: p.integer().concurrencyCheck(),
    erasureProblem: p.text().strictNullable(),
    nextErasureAt: p.datetime(3).strictNullable(),
    remindedAt: p.datetime(3).strictNullable(),
  },
});

export class DeletionRequestRow extends DeletionRequestSchema.class {}
DeletionRequestSchema.setClass(DeletionRequestRow);

export function toDeletionRequest(row: DeletionRequestRow): DeletionRequest {
  const { id, orgId, partnerId, reason } = row;
  const facts = {
    id,
    userId: row.user.id,
    orgId,
    partnerId,
    requestedAt: row.requestedAt.getTime(),
    processBy: row.processBy.getTime(),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
  switch (row.status) {
    case 'pending':
      return { ...facts, reason, status: 'pending' };
    case 'processing':
      return { ...facts, reason, status: 'processing', verdict: mustVerdict(row) };
    case 'completed':
      return { ...facts, reason: null, status: 'completed', verdict: { ...mustVerdict(row), note: null } };
    case 'cancelled':
      return { ...facts, reason, status: 'cancelled', verdict: toVerdict(row) };
  }
}

function toVerdict({ processedAt, processedBy, adminNote }: DeletionRequestRow): DeletionVerdict | null {
  if (processedAt === null || processedBy === null) return null;
  return { at: processedAt.getTime(), by: processedBy, note: adminNote };
}

function mustVerdict(row: DeletionRequestRow): DeletionVerdict {
  const verdict = toVerdict(row);
  if (verdict === null) throw new Error(`request ${row.id} is ${row.status} but has no verdict`);
  return verdict;
}

export function toDeletionRequestRow(request: DeletionRequest) {
  const verdict = verdictOf(request);
  const { id, userId, orgId, partnerId, reason, status } = request;
  return {
    ...{ id, user: userId, orgId, partnerId, reason, status },
    requestedAt: new Date(request.requestedAt),
    processBy: new Date(request.processBy),
    processedAt: verdict === null ? null : new Date(verdict.at),
    processedBy: verdict?.by ?? null,
    adminNote: verdict?.note ?? null,
    createdAt: new Date(request.createdAt),
    updatedAt: new Date(request.updatedAt),
  };
}
