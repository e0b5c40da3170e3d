/**
 * Explains a saved filter over the devices of its organization (POST /filters/:id/explain; Contract: §12). A filter
 * that can no longer be evaluated is refused as in its preview.
 */
import { type ApplicationError, FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { Deny } from '#application/audit/deny.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import { checkSavedFilter } from '#application/filters/saved/check-saved-filter.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { FilterId } from '#domain/ids.ts';
import { err, type Result } from '#domain/result.ts';
import { type ExplainedFilter, parseExplainedDevice, type RunExplain } from './run-explain.ts';

export interface ExplainFilterInput {
  readonly deviceId: unknown;
}

/** Errors: `not_found` (filter or device), present faults of the filter, `too_many_nodes`, `filter_timeout`. */
export type ExplainFilter = (
  call: Call,
  id: FilterId,
  input: ExplainFilterInput,
) => Promise<Result<ExplainedFilter, ApplicationError>>;

export interface ExplainFilterDeps {
  readonly filters: SavedFilterReader;
  readonly checkConditions: CheckConditions;
  readonly runExplain: RunExplain;
  readonly deny: Deny;
}

export function makeExplainFilter(deps: ExplainFilterDeps): ExplainFilter {
  return async (call, id, input) => {
    const deviceId = parseExplainedDevice(input.deviceId);
    if (!deviceId.ok) return err(toFilterError([deviceId.error]));
    const saved = await deps.filters.find(call.caller.scope, id);
    if (saved === null) {
      return deps.deny(call, { action: 'filter.explain', resourceId: id }, FILTER_NOT_FOUND);
    }
    const checked = await checkSavedFilter(deps.checkConditions, call, saved);
    if (!checked.ok) return checked;
    return deps.runExplain(call, {
      ...checked.value,
      deviceId: deviceId.value,
      filterId: id,
      orgId: saved.orgId,
    });
  };
}
