/** Checks a saved filter as understood now, in its own organization (Contract: §5). */
import type { ApplicationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import { type AccessScope, narrowTo } from '#domain/access/access-scope.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import { err, ok, type Result } from '#domain/result.ts';

export interface CheckedFilter {
  readonly filter: ConditionGroup;
  /** Only the filter's organization, even if the caller reaches more. */
  readonly scope: AccessScope;
}

/** `validation_failed` if the filter no longer checks, for example because a custom field was deleted. */
export async function checkSavedFilter(
  checkConditions: CheckConditions,
  { caller }: Call,
  { orgId, conditionsJson }: SavedFilter,
): Promise<Result<CheckedFilter, ApplicationError>> {
  const scope = narrowTo(caller.scope, orgId);
  const filter = await checkConditions(scope, JSON.parse(conditionsJson), caller.userId);
  return filter.ok ? ok({ filter: filter.value, scope }) : err(toFilterError(filter.error));
}
