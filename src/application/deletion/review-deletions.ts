/**
 * Deletion requests in an administrator's reach (`/admin/account-deletion-requests`; Contract: §7). All need
 * users:write.
 */
import type { NarrowReach } from '#application/access/narrow-reach.ts';
import { refuseWithoutUsersWrite } from '#application/access/refusals.ts';
import { type ApplicationError, DELETION_REQUEST_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type {
  DeletionListQuery,
  DeletionRequestReader,
  RequestForReview,
} from '#application/ports/deletion/deletion-request-store.ts';
import type { DeletionRequestId, OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

export interface DeletionPage {
  readonly requests: readonly RequestForReview[];
  /** Counts the requests of all pages. */
  readonly total: number;
}

/** `not_found` if the organization is unknown or out of reach. */
export type ListDeletions = (
  call: Call,
  query: DeletionListQuery,
) => Promise<Result<DeletionPage, ApplicationError>>;

/** `not_found` if the organization is unknown or out of reach. */
export type CountPendingDeletions = (
  call: Call,
  orgId: OrgId | null,
) => Promise<Result<number, ApplicationError>>;

export type ReadDeletion = (
  call: Call,
  id: DeletionRequestId,
) => Promise<Result<RequestForReview, ApplicationError>>;

interface ReviewDeps {
  readonly deletionRequests: DeletionRequestReader;
}

interface NarrowedReviewDeps extends ReviewDeps {
  readonly narrowReach: NarrowReach;
}

export function makeListDeletions({ deletionRequests, narrowReach }: NarrowedReviewDeps): ListDeletions {
  return async (call, query) => {
    const refusal = refuseWithoutUsersWrite(call);
    if (refusal !== null) return err(refusal);
    const narrowed = await narrowReach(call, query.orgId);
    // Reads with the caller's whole reach, so people who moved to another organization keep their names.
    return narrowed.ok ? ok(await deletionRequests.list(call.caller.scope, query)) : narrowed;
  };
}

export function makeCountPendingDeletions({
  deletionRequests,
  narrowReach,
}: NarrowedReviewDeps): CountPendingDeletions {
  return async (call, orgId) => {
    const refusal = refuseWithoutUsersWrite(call);
    if (refusal !== null) return err(refusal);
    const scope = await narrowReach(call, orgId);
    return scope.ok ? ok(await deletionRequests.countPending(scope.value)) : scope;
  };
}

export function makeReadDeletion({ deletionRequests }: ReviewDeps): ReadDeletion {
  return async (call, id) => {
    const refusal = refuseWithoutUsersWrite(call);
    if (refusal !== null) return err(refusal);
    const found = await deletionRequests.find(call.caller.scope, id);
    return found === null ? err(DELETION_REQUEST_NOT_FOUND) : ok(found);
  };
}
