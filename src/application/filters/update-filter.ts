/** Changes name, description or conditions of a saved filter (Spec: PATCH /filters/:id; Contract: §5). */
import { type ApplicationError, FILTER_NOT_FOUND, type FieldError } from '#application/application-error.ts';
import type { MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { AuditLog } from '#application/ports/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { type AccessScope, narrowTo } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import {
  type FilterChange,
  parseFilterDescription,
  parseFilterName,
  reviseFilter,
  type SavedFilter,
} from '#domain/filter/saved-filter.ts';
import type { FilterId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { CheckConditions } from './check-conditions.ts';
import { toFilterError } from './filter-input.ts';
import { checkPrecondition, type Precondition } from './precondition.ts';

/** As sent; a member that is undefined stays as it is. */
export interface UpdateFilterInput {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly conditions?: unknown;
}

export type UpdateFilter = (
  call: Call,
  id: FilterId,
  input: UpdateFilterInput,
  precondition: Precondition,
) => Promise<Result<SavedFilter, ApplicationError>>;

export interface UpdateFilterDeps {
  readonly filters: SavedFilterReader;
  readonly checkConditions: CheckConditions;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly makeEntry: MakeEntry;
  readonly clock: Clock;
}

export function makeUpdateFilter(deps: UpdateFilterDeps): UpdateFilter {
  return async (call, id, input, precondition) => {
    const { scope, userId } = call.caller;
    // Looked up before the transaction, which is kept free of the checks that may take their time.
    const known = await deps.filters.find(scope, id);
    if (known === null) return denyUnknown(deps, call, id);
    const change = await parseChange(deps, narrowTo(scope, known.orgId), userId, input);
    if (!change.ok) return change;
    const outcome = await deps.unitOfWork(
      scope,
      async (tx): Promise<Result<SavedFilter, ApplicationError>> => {
        const current = await tx.filters.findForUpdate(id);
        if (current === null) {
          await tx.audit(denial(deps, call, id));
          return err(FILTER_NOT_FOUND);
        }
        const refusal = checkPrecondition(precondition, current);
        if (refusal !== null) return err(refusal);
        const { filter, changed } = reviseFilter(current, change.value, deps.clock());
        // Nothing was done, so nothing goes on record.
        if (changed.length === 0) return ok(filter);
        await tx.filters.replace(filter);
        await tx.audit(
          deps.makeEntry(call, {
            action: 'filter.update',
            result: 'success',
            resourceId: id,
            orgId: filter.orgId,
            details: { fields: changed },
          }),
        );
        return ok(filter);
      },
    );
    return outcome;
  };
}

/** Not found, and on record: somebody may be trying ids. */
async function denyUnknown(
  deps: Pick<UpdateFilterDeps, 'auditLog' | 'makeEntry'>,
  call: Call,
  id: FilterId,
): Promise<Result<never, ApplicationError>> {
  await deps.auditLog(denial(deps, call, id));
  return err(FILTER_NOT_FOUND);
}

function denial({ makeEntry }: Pick<UpdateFilterDeps, 'makeEntry'>, call: Call, id: FilterId): AuditEntry {
  return makeEntry(call, {
    action: 'filter.update',
    result: 'denied',
    resourceId: id,
    orgId: null,
    details: { reason: 'not_found' },
  });
}

async function parseChange(
  deps: UpdateFilterDeps,
  scope: AccessScope,
  onBehalfOf: UserId,
  input: UpdateFilterInput,
): Promise<Result<FilterChange, ApplicationError>> {
  const name = input.name === undefined ? null : parseFilterName(input.name);
  const description = input.description === undefined ? null : parseFilterDescription(input.description);
  const conditions =
    input.conditions === undefined ? null : await deps.checkConditions(scope, input.conditions, onBehalfOf);
  const fields: FieldError[] = [];
  if (name?.ok === false) fields.push({ path: 'name', code: 'invalid_value', message: name.error });
  if (description?.ok === false) {
    fields.push({ path: 'description', code: 'invalid_value', message: description.error });
  }
  const faults = conditions?.ok === false ? conditions.error : [];
  if (fields.length + faults.length > 0) return err(toFilterError(fields, faults));
  return ok({
    ...(name?.ok && { name: name.value }),
    ...(description?.ok && { description: description.value }),
    ...(conditions?.ok && { conditionsJson: JSON.stringify(input.conditions) }),
  });
}
