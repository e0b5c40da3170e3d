/** Lists the saved filters of every organization in reach (GET /filters; Contract: §5). */
import type { Call } from '#application/call.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import { matchesSearch, type SavedFilter } from '#domain/filter/saved-filter.ts';
import { trimText } from '#domain/text/storable-text.ts';

/**
 * Newest first, read as they are consumed. `search` matches name or description literally, ignoring case; a blank one
 * matches all.
 */
export type ListFilters = (call: Call, search: string) => AsyncIterable<SavedFilter>;

export function makeListFilters(deps: { readonly filters: SavedFilterReader }): ListFilters {
  return ({ caller }, search) =>
    trimText(search) === ''
      ? deps.filters.list(caller.scope)
      : deps.filters.list(caller.scope, (filter) => matchesSearch(filter, search));
}
