/** Complete and valid deletion requests in every state. A test gives only the facts that it is about. */
import {
  type CancelledRequest,
  type CompletedRequest,
  type PendingRequest,
  type ProcessingRequest,
  processByOf,
} from '#domain/deletion/deletion-request.ts';
import { newId, SOME_INSTANT } from './builders.ts';

/** A request by platform staff, unless an organization or a partner is given. */
export function aPendingRequest(given: Partial<PendingRequest> = {}): PendingRequest {
  const requestedAt = given.requestedAt ?? SOME_INSTANT;
  return {
    id: newId(),
    userId: newId(),
    orgId: null,
    partnerId: null,
    reason: null,
    status: 'pending',
    requestedAt,
    processBy: processByOf(requestedAt),
    createdAt: requestedAt,
    updatedAt: requestedAt,
    ...given,
  };
}

/** A request that someone else approved after an hour. */
export function aProcessingRequest(given: Partial<ProcessingRequest> = {}): ProcessingRequest {
  const { status: _status, ...pending } = given;
  const request = aPendingRequest(pending);
  const at = request.requestedAt + 3_600_000;
  return {
    ...request,
    status: 'processing',
    verdict: { at, by: newId(), note: null },
    updatedAt: at,
    ...given,
  };
}

export function aCompletedRequest(given: Partial<CompletedRequest> = {}): CompletedRequest {
  const { status: _status, ...processing } = given;
  const request = aProcessingRequest(processing);
  return {
    ...request,
    status: 'completed',
    reason: null,
    verdict: { ...request.verdict, note: null },
    updatedAt: request.processBy,
    ...given,
  };
}

/** A request that its user cancelled, unless a verdict is given. */
export function aCancelledRequest(given: Partial<CancelledRequest> = {}): CancelledRequest {
  const { status: _status, verdict: _verdict, ...pending } = given;
  const request = aPendingRequest(pending);
  return {
    ...request,
    status: 'cancelled',
    verdict: null,
    updatedAt: request.requestedAt + 60_000,
    ...given,
  };
}
