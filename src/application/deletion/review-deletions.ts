/** The deletion requests in an administrator's reach (Contract: §7). All of this needs users:write. */
import { refuseWithoutUsersWrite } from '#application/access/refuse-without-users-write.ts';
import { type ApplicationError, DELETION_REQUEST_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type {
  DeletionListQuery,
  DeletionRequestReader,
  RequestForReview,
} from '#application/ports/deletion/deletion-request-store.ts';
import type { DeletionRequestId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

export interface DeletionPage {
  readonly requests: readonly RequestForReview[];
  /** Over all pages. */
  readonly total: number;
}

/** GET /admin/account-deletion-requests. */
export type ListDeletions = (
  call: Call,
  query: DeletionListQuery,
) => Promise<Result<DeletionPage, ApplicationError>>;

/** GET /admin/account-deletion-requests/pending-count. */
export type CountPendingDeletions = (call: Call) => Promise<Result<number, ApplicationError>>;

/** GET /admin/account-deletion-requests/:id. */
export type ReadDeletion = (
  call: Call,
  id: DeletionRequestId,
) => Promise<Result<RequestForReview, ApplicationError>>;

interface ReviewDeps {
  readonly deletionRequests: DeletionRequestReader;
}

export function makeListDeletions({ deletionRequests }: ReviewDeps): ListDeletions {
  return async (call, query) => {
    const refusal = refuseWithoutUsersWrite(call);
    return refusal === null ? ok(await deletionRequests.list(call.caller.scope, query)) : err(refusal);
  };
}

export function makeCountPendingDeletions({ deletionRequests }: ReviewDeps): CountPendingDeletions {
  return async (call) => {
    const refusal = refuseWithoutUsersWrite(call);
    return refusal === null ? ok(await deletionRequests.countPending(call.caller.scope)) : err(refusal);
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
