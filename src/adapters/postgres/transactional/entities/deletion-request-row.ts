/** Table account_deletion_request: its rows as requests and back. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import {
  type DeletionRequest,
  type DeletionStatus,
  type DeletionVerdict,
  verdictOf,
} from '#domain/deletion/deletion-request.ts';
import type { DeletionRequestId, OrgId, PartnerId, UserId } from '#domain/ids.ts';

export const DeletionRequestRow = defineEntity({
  name: 'DeletionRequestRow',
  tableName: 'account_deletion_request',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    orgId: p.uuid().nullable(),
    partnerId: p.uuid().nullable(),
    reason: p.text().nullable(),
    status: p.text().$type<DeletionStatus>(),
    requestedAt: p.datetime(3),
    processBy: p.datetime(3),
    processedAt: p.datetime(3).nullable(),
    processedBy: p.uuid().nullable(),
    adminNote: p.text().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export function toDeletionRequest(row: InferEntity<typeof DeletionRequestRow>): DeletionRequest {
  const facts = {
    id: row.id as DeletionRequestId,
    userId: row.userId as UserId,
    orgId: (row.orgId ?? null) as OrgId | null,
    partnerId: (row.partnerId ?? null) as PartnerId | null,
    requestedAt: row.requestedAt.getTime(),
    processBy: row.processBy.getTime(),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
  const reason = row.reason ?? null;
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

function toVerdict(row: InferEntity<typeof DeletionRequestRow>): DeletionVerdict | null {
  const { processedAt, processedBy, adminNote } = row;
  if (processedAt == null || processedBy == null) return null;
  return { at: processedAt.getTime(), by: processedBy as UserId, note: adminNote ?? null };
}

function mustVerdict(row: InferEntity<typeof DeletionRequestRow>): DeletionVerdict {
  const verdict = toVerdict(row);
  if (verdict === null) throw new Error(`request ${row.id} is ${row.status} and nobody has decided it`);
  return verdict;
}

export function toDeletionRequestRow(request: DeletionRequest) {
  const verdict = verdictOf(request);
  const { id, userId, orgId, partnerId, reason, status } = request;
  return {
    ...{ id, userId, orgId, partnerId, reason, status },
    requestedAt: new Date(request.requestedAt),
    processBy: new Date(request.processBy),
    processedAt: verdict === null ? null : new Date(verdict.at),
    processedBy: verdict?.by ?? null,
    adminNote: verdict?.note ?? null,
    createdAt: new Date(request.createdAt),
    updatedAt: new Date(request.updatedAt),
  };
}
