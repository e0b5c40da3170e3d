import type { World } from '#adapters/memory/tables/world.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import { canReach, reachableOrgIds } from '#domain/access/access-scope.ts';
import { compareNewestFirst } from '#domain/filter/saved-filter.ts';
import { utf8Length } from '#domain/text/code-points.ts';

/** Rows are frozen, so they are returned without a copy. */
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
    async heads(scope, orgId) {
      if (!canReach(scope, orgId)) return [];
      return [...world.filters.values()]
        .filter((filter) => filter.orgId === orgId)
        .map(({ id, name, version, updatedAt, conditionsJson }) => {
          return { id, name, version, updatedAt, conditionBytes: utf8Length(conditionsJson) };
        });
    },
    async *findEach(scope, ids) {
      for (const id of new Set(ids)) {
        const filter = world.filters.get(id);
        if (filter !== undefined && canReach(scope, filter.orgId)) yield filter;
      }
    },
  };
}
