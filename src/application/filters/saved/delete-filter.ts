/** Deletes a saved filter (DELETE /filters/:id; Contract: §5). */
import { type ApplicationError, FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { checkPrecondition, type Precondition } from '#application/precondition.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { NameCreator, NamedFilter } from './name-creator.ts';

/** Returns the filter's last state. Errors: `not_found`, `precondition_failed`. */
export type DeleteFilter = (
  call: Call,
  id: FilterId,
  precondition: Precondition,
) => Promise<Result<NamedFilter, ApplicationError>>;

export interface DeleteFilterDeps {
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly nameCreator: NameCreator;
}

export function makeDeleteFilter(deps: DeleteFilterDeps): DeleteFilter {
  return async (call, id, precondition) => {
    const deleted = await deps.unitOfWork(
      call.caller.scope,
      async (tx): Promise<Result<SavedFilter, ApplicationError>> => {
        const filter = await tx.filters.findForUpdate(id);
        if (filter === null) {
          return deps.deny(call, { action: 'filter.delete', resourceId: id }, FILTER_NOT_FOUND, tx);
        }
        const refusal = checkPrecondition(precondition, filter.version, 'filter');
        if (refusal !== null) return err(refusal);
        await tx.filters.remove(id);
        await tx.audit(
          deps.makeEntry(call, {
            action: 'filter.delete',
            resourceId: id,
            orgId: filter.orgId,
            details: { name: filter.name },
          }),
        );
        return ok(filter);
      },
    );
    return deps.nameCreator.one(call, deleted);
  };
}
