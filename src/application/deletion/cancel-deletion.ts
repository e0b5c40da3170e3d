/** Cancels the caller's own request (PATCH /auth/account-deletion-request/:id; Contract: §7). */
import { type ApplicationError, invalidField } from '#application/application-error.ts';
import type { Deny } from '#application/audit/deny.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { decideDeletion } from '#domain/deletion/decide-deletion.ts';
import type { CancelledRequest } from '#domain/deletion/deletion-request.ts';
import type { DeletionRequestId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { decisionFacts } from './decision-facts.ts';
import { REFUSALS } from './refusals.ts';

/** `status` is unchecked; only `cancelled` is valid. */
export type CancelDeletion = (
  call: Call,
  id: DeletionRequestId,
  status: unknown,
) => Promise<Result<CancelledRequest, ApplicationError>>;

export interface CancelDeletionDeps {
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
}

export function makeCancelDeletion(deps: CancelDeletionDeps): CancelDeletion {
  return async (call, id, status) => {
    if (status !== 'cancelled') {
      return err(invalidField('status', 'invalid_value', 'status can only be set to "cancelled"'));
    }
    const { userId } = call.caller;
    // System scope, because users reach their own request whatever tenant they belong to.
    return deps.unitOfWork(SYSTEM_SCOPE, async (tx) => {
      const state = await tx.deletions.findForUpdate(id);
      const decision = decideDeletion(state, { kind: 'cancel', by: userId, at: deps.clock() });
      if (decision.outcome === 'refused') {
        const attempt = { action: 'user.account_deletion.cancelled', resourceId: id } as const;
        return deps.deny(call, attempt, REFUSALS[decision.reason], tx);
      }
      await tx.deletions.advance('pending', decision.request);
      await tx.audit(deps.makeEntry(call, decisionFacts(decision)));
      return ok(decision.request);
    });
  };
}
