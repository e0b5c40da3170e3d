/** Lists the saved filters of every organization in reach (GET /filters; Contract: §5). */
import type { Call } from '#application/call.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import { matchesSearch, type SavedFilter } from '#domain/filter/saved-filter.ts';

/** Newest first. `search` matches name or description literally, in any case; if blank, it matches all. */
export type ListFilters = (call: Call, search: string) => Promise<readonly SavedFilter[]>;

export function makeListFilters(deps: { readonly filters: SavedFilterReader }): ListFilters {
  return async ({ caller }, search) => {
    const filters = await deps.filters.list(caller.scope);
    return search.trim() === '' ? filters : filters.filter((filter) => matchesSearch(filter, search));
  };
}
