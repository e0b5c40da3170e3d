/** Deletion requests as JSON text, field by field (Contract: §7). */
import type { OwnDeletion } from '#application/deletion/read-own-deletion.ts';
import type { DeletionPage } from '#application/deletion/review-deletions.ts';
import type {
  DeletionListQuery,
  RequestForReview,
} from '#application/ports/deletion/deletion-request-store.ts';
import { type DeletionRequest, isOverdue, verdictOf } from '#domain/deletion/deletion-request.ts';
import { printInstant, printInstantOrNull } from '#domain/text/print-instant.ts';
import type { EpochMs } from '#domain/time.ts';

/** The twelve fields that the user sees. */
export function presentDeletion(request: DeletionRequest): string {
  return JSON.stringify(toBody(request));
}

/** `{data, latest}`, each a request or null. */
export function presentOwnDeletion({ pending, latest }: OwnDeletion): string {
  return JSON.stringify({
    data: pending === null ? null : toBody(pending),
    latest: latest === null ? null : toBody(latest),
  });
}

/** The same with `user`, and whether it is overdue at `now`. */
export function presentDeletionForReview(found: RequestForReview, now: EpochMs): string {
  return JSON.stringify(toReviewBody(found, now));
}

/** `{count}`. */
export function presentCount(count: number): string {
  return JSON.stringify({ count });
}

/** `{data, total, limit, offset}`. */
export function presentDeletionPage(
  { requests, total }: DeletionPage,
  { limit, offset }: DeletionListQuery,
  now: EpochMs,
): string {
  return JSON.stringify({ data: requests.map((found) => toReviewBody(found, now)), total, limit, offset });
}

function toReviewBody({ request, user: { id, email, name } }: RequestForReview, now: EpochMs): object {
  return { ...toBody(request), user: { id, email, name }, overdue: isOverdue(request, now) };
}

function toBody(request: DeletionRequest): object {
  const { id, userId, orgId, reason, status, requestedAt, processBy, createdAt, updatedAt } = request;
  const verdict = verdictOf(request);
  return {
    id,
    userId,
    orgId,
    reason,
    status,
    requestedAt: printInstant(requestedAt),
    processBy: printInstant(processBy),
    processedAt: printInstantOrNull(verdict?.at ?? null),
    processedBy: verdict?.by ?? null,
    adminNote: verdict?.note ?? null,
    createdAt: printInstant(createdAt),
    updatedAt: printInstant(updatedAt),
  };
}
