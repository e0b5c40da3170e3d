/** A saved filter as it is understood now, in its own organization (Contract: §5). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import { type AccessScope, narrowTo } from '#domain/access/access-scope.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** What can be evaluated, and where. */
export interface CheckedFilter {
  readonly filter: ConditionGroup;
  /** The filter's organization alone, however far the caller reaches. */
  readonly scope: AccessScope;
}

/** The filter, or `validation_failed` where, for example, one of its custom fields has been deleted since. */
export async function checkSavedFilter(
  checkConditions: CheckConditions,
  { caller }: Call,
  { orgId, conditionsJson }: SavedFilter,
): Promise<Result<CheckedFilter, ApplicationError>> {
  const scope = narrowTo(caller.scope, orgId);
  const filter = await checkConditions(scope, JSON.parse(conditionsJson), caller.userId);
  return filter.ok ? ok({ filter: filter.value, scope }) : err(toFilterError(filter.error));
}
