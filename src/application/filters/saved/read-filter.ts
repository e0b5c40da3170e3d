/** Reads one saved filter (GET /filters/:id; Contract: §5). */
import { type ApplicationError, FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Error: `not_found`, also if the filter is out of reach. */
export type ReadFilter = (call: Call, id: FilterId) => Promise<Result<SavedFilter, ApplicationError>>;

export function makeReadFilter(deps: { readonly filters: SavedFilterReader }): ReadFilter {
  return async ({ caller }, id) => {
    const filter = await deps.filters.find(caller.scope, id);
    return filter === null ? err(FILTER_NOT_FOUND) : ok(filter);
  };
}
