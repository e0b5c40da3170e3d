import type { Call } from '#application/call.ts';
import type { DeletionRequestReader } from '#application/ports/deletion/deletion-request-store.ts';
import type { DeletionRequest, PendingRequest } from '#domain/deletion/deletion-request.ts';

/**
 * The caller's pending request and newest request (GET /auth/account-deletion-request; Contract: §7); null where
 * there is none.
 */
export interface OwnDeletion {
  readonly pending: PendingRequest | null;
  readonly latest: DeletionRequest | null;
}

/** GET /auth/account-deletion-request. */
export type ReadOwnDeletion = (call: Call) => Promise<OwnDeletion>;

export function makeReadOwnDeletion(deps: {
  readonly deletionRequests: DeletionRequestReader;
}): ReadOwnDeletion {
  return async ({ caller }) => {
    const latest = await deps.deletionRequests.findLatestOf(caller.userId);
    return { pending: latest?.status === 'pending' ? latest : null, latest };
  };
}
