/** Changes the name, description or conditions of a saved filter (PATCH /filters/:id; Contract: §5). */
import { NOT_THE_WHOLE_PARTNER } from '#application/access/refusals.ts';
import {
  type ApplicationError,
  FILTER_NOT_FOUND,
  faultsIn,
  quotaExceeded,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { OrganizationsOfPartner } from '#application/ports/fleet/organization-directory.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { checkPrecondition, type Precondition } from '#application/precondition.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { mayChangeFor } from '#domain/access/ownership.ts';
import { quotaExceededBy } from '#domain/filter/filter-quota.ts';
import {
  type FilterChange,
  ownerOfFilter,
  parseFilterDescription,
  parseFilterName,
  reviseFilter,
  type SavedFilter,
  withoutSameConditions,
} from '#domain/filter/saved-filter.ts';
import type { FilterId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { utf8Length } from '#domain/text/code-points.ts';
import { jsonText } from '#domain/text/json-text.ts';
import type { NameCreator, NamedFilter } from './name-creator.ts';
import { coverageOf } from './read-filter.ts';

/** Unchecked input; undefined members stay unchanged. */
export interface UpdateFilterInput {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly conditions?: unknown;
}

/**
 * Returns the changed filter. Errors: every fault of the input, `not_found`, `forbidden` (a partner's filter),
 * `precondition_failed`, `quota_exceeded`.
 */
export type UpdateFilter = (
  call: Call,
  id: FilterId,
  input: UpdateFilterInput,
  precondition: Precondition,
  /** The version that the input restores, for the audit log. */
  restored?: number,
) => Promise<Result<NamedFilter, ApplicationError>>;

export interface UpdateFilterDeps {
  readonly filters: SavedFilterReader;
  readonly checkConditions: CheckConditions;
  readonly organizationsOf: OrganizationsOfPartner;
  readonly unitOfWork: UnitOfWork;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
  readonly nameCreator: NameCreator;
}

export function makeUpdateFilter(deps: UpdateFilterDeps): UpdateFilter {
  return async (call, id, input, precondition, restored) => {
    const { scope, userId } = call.caller;
    const attempt = { action: 'filter.update', resourceId: id } as const;
    // Checks may take long, so they run before the transaction.
    const known = await deps.filters.find(scope, id);
    if (known === null) return deps.deny(call, attempt, FILTER_NOT_FOUND);
    const owner = ownerOfFilter(known);
    if (!mayChangeFor(scope, owner)) return deps.deny(call, attempt, NOT_THE_WHOLE_PARTNER);
    const change = await parseChange(deps, await coverageOf(deps, scope, known), userId, input);
    if (!change.ok) return change;
    const saved = await deps.unitOfWork(scope, async (tx): Promise<Result<SavedFilter, ApplicationError>> => {
      const isNewText = change.value.conditionsJson !== undefined;
      const usage = isNewText ? await tx.filters.holdUsage(owner) : null;
      const current = await tx.filters.findForUpdate(id);
      if (current === null) return deps.deny(call, attempt, FILTER_NOT_FOUND, tx);
      const refusal = checkPrecondition(precondition, current.version, 'filter');
      if (refusal !== null) return err(refusal);
      const meant = withoutSameConditions(current, change.value);
      const { filter, changed } = reviseFilter(current, meant, userId, deps.clock());
      if (changed.length === 0) return ok(filter);
      const growth = utf8Length(filter.conditionsJson) - utf8Length(current.conditionsJson);
      const excess = usage && quotaExceededBy({ filters: 0, conditionBytes: growth }, usage, owner.kind);
      if (excess !== null) return err(quotaExceeded(excess));
      await tx.filters.replace(filter);
      const { orgId, partnerId } = filter;
      const details = { fields: changed, ...(restored !== undefined && { restoredVersion: restored }) };
      const facts = { ...attempt, orgId, partnerId, details };
      await tx.audit(deps.makeEntry(call, facts));
      return ok(filter);
    });
    return deps.nameCreator.one(call, saved);
  };
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
  const faults = [...faultsIn({ name, description }), ...(conditions?.ok === false ? conditions.error : [])];
  if (faults.length > 0) return err(toFilterError(faults));
  return ok({
    ...(name?.ok && { name: name.value }),
    ...(description?.ok && { description: description.value }),
    ...(conditions?.ok && { conditionsJson: jsonText(input.conditions) }),
  });
}
