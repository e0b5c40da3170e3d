import type { OwnDeletion as OwnRequests } from '#application/deletion/own-deletion.ts';
import type { DeletionPage as FoundRequests } from '#application/deletion/review-deletions.ts';
import type {
  DeletionListQuery,
  RequestForReview,
} from '#application/ports/deletion/deletion-request-store.ts';
import {
  isOverdue,
  type DeletionRequest as RequestFacts,
  verdictOf,
} from '#domain/deletion/deletion-request.ts';
import { printInstant, printInstantOrNull } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';
import type { DeletionPage, DeletionRequest, OwnDeletion, OwnDeletionRequest } from './deletion-shapes.ts';

export function presentDeletion(request: RequestFacts): string {
  return JSON.stringify(toOwn(request));
}

export function presentOwnDeletion({ pending, latest, showsReason }: OwnRequests): string {
  const present = (request: RequestFacts) => {
    const { reason, ...rest } = toOwn(request);
    return showsReason ? { ...rest, reason } : rest;
  };
  return JSON.stringify({
    data: pending === null ? null : present(pending),
    latest: latest === null ? null : present(latest),
  } satisfies OwnDeletion);
}

export function presentDeletionForReview(found: RequestForReview, now: EpochMs): string {
  return JSON.stringify(toReviewed(found, now));
}

export function presentDeletionPage(
  { requests, total }: FoundRequests,
  { limit, offset }: DeletionListQuery,
  now: EpochMs,
): string {
  const data = requests.map((found) => toReviewed(found, now));
  return JSON.stringify({ data, total, limit, offset } satisfies DeletionPage);
}

function toReviewed({ request, user, deciderName }: RequestForReview, now: EpochMs): DeletionRequest {
  const own = toOwn(request);
  const { id, email, name } = user;
  return {
    ...own,
    user: { id, email, name },
    decider:
      own.processedBy === null || deciderName === null ? null : { id: own.processedBy, name: deciderName },
    overdue: isOverdue(request, now),
  };
}

function toOwn(request: RequestFacts): OwnDeletionRequest {
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
