/**
 * Streams the ids of all devices of a saved filter, for deployment engines and dynamic groups. It has no route;
 * embedders call it.
 */
import { type ApplicationError, FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DeviceMatcher } from '#application/ports/filters/device-matcher.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import { workFor } from '#application/work-for.ts';
import type { DeviceId, FilterId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { checkSavedFilter } from './check-saved-filter.ts';

/** Batches of ids from one snapshot, each device once. The stream throws `MatchStreamError` if it cannot continue. */
export type ResolveFilter = (
  call: Call,
  id: FilterId,
) => Promise<Result<AsyncIterable<readonly DeviceId[]>, ApplicationError>>;

export interface ResolveFilterDeps {
  readonly filters: SavedFilterReader;
  readonly checkConditions: CheckConditions;
  readonly matcher: DeviceMatcher;
  readonly clock: Clock;
}

export function makeResolveFilter(deps: ResolveFilterDeps): ResolveFilter {
  return async (call, id) => {
    const saved = await deps.filters.find(call.caller.scope, id);
    if (saved === null) return err(FILTER_NOT_FOUND);
    const checked = await checkSavedFilter(deps.checkConditions, call, saved);
    if (!checked.ok) return checked;
    return ok(deps.matcher.streamIds({ ...checked.value, at: deps.clock(), ...workFor(call) }));
  };
}
