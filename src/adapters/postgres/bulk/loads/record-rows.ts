/** Deletion requests and audit entries as rows, column by column. */
import type { CopyValue } from '#adapters/postgres/bulk/copy-text.ts';
import { verdictOf } from '#domain/deletion/deletion-request.ts';
import type { AuditEntryRecord, DeletionRequestRecord } from '#domain/fleet/fleet-record.ts';
import { printInstantOrNull } from '#domain/text/iso-instant.ts';

type Columns<T> = Readonly<Record<string, (from: T) => CopyValue>>;

export const DELETION_REQUEST_COLUMNS = {
  id: ({ id }) => id,
  user_id: ({ request }) => request.userId,
  org_id: ({ request }) => request.orgId,
  partner_id: ({ request }) => request.partnerId,
  reason: ({ request }) => request.reason,
  status: ({ request }) => request.status,
  requested_at: ({ request }) => printInstantOrNull(request.requestedAt),
  process_by: ({ request }) => printInstantOrNull(request.processBy),
  processed_at: ({ request }) => printInstantOrNull(verdictOf(request)?.at ?? null),
  processed_by: ({ request }) => verdictOf(request)?.by ?? null,
  admin_note: ({ request }) => verdictOf(request)?.note ?? null,
  created_at: ({ request }) => printInstantOrNull(request.createdAt),
  updated_at: ({ request }) => printInstantOrNull(request.updatedAt),
  erasure_failures: ({ failures }) => failures,
  erasure_problem: ({ problem }) => problem,
  next_erasure_at: ({ nextAttemptAt }) => printInstantOrNull(nextAttemptAt),
} as const satisfies Columns<DeletionRequestRecord>;

export const AUDIT_COLUMNS = {
  id: ({ id }) => id,
  at: ({ at }) => printInstantOrNull(at),
  actor_type: ({ actor }) => actor.type,
  actor_id: ({ actor }) => actor.id,
  org_id: ({ orgId }) => orgId,
  partner_id: ({ partnerId }) => partnerId,
  action: ({ action }) => action,
  result: ({ result }) => result,
  resource_type: ({ resourceType }) => resourceType,
  resource_id: ({ resourceId }) => resourceId,
  details: ({ details }) => JSON.stringify(details),
  request_id: ({ requestId }) => requestId,
  ip: ({ ip }) => ip,
} as const satisfies Columns<AuditEntryRecord>;
