/** Saved filters, read from the world. */
import type { World } from '#adapters/memory/tables/world.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import { canReach, reachableOrgIds } from '#domain/access/access-scope.ts';
import { compareNewestFirst } from '#domain/filter/saved-filter.ts';

/** The rows are frozen, and handed out as they are. */
export function makeSavedFilterReader(world: Pick<World, 'filters'>): SavedFilterReader {
  return {
    async find(scope, id) {
      const filter = world.filters.get(id);
      return filter !== undefined && canReach(scope, filter.orgId) ? filter : null;
    },
    async *list(scope, select = () => true) {
      const reachable = reachableOrgIds(scope);
      const orgIds = reachable === null ? null : new Set(reachable);
      yield* [...world.filters.values()]
        .filter((filter) => (orgIds === null || orgIds.has(filter.orgId)) && select(filter))
        .sort(compareNewestFirst);
    },
  };
}
