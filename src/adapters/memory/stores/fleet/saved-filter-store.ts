import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { SavedFilterReader, SavedFilterWriter } from '#application/ports/filters/saved-filter-store.ts';
import { type AccessScope, canReach, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { FilterUsage } from '#domain/filter/filter-quota.ts';
import { compareNewestFirst, type SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId, OrgId } from '#domain/ids.ts';
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

export function makeSavedFilterWriter(
  world: Pick<World, 'organizations'>,
  { filters }: Pick<StagedTables, 'filters'>,
  scope: AccessScope,
): SavedFilterWriter {
  const find = (id: FilterId): SavedFilter | null => {
    const filter = filters.get(id);
    return filter !== null && canReach(scope, filter.orgId) ? filter : null;
  };
  const mustFind = (id: FilterId): SavedFilter => {
    const filter = find(id);
    if (filter === null) throw new Error(`there is no filter ${id} within the transaction's scope`);
    return filter;
  };
  return {
    async holdUsage(orgId) {
      if (!canReach(scope, orgId)) throw new Error(`organization ${orgId} is out of reach`);
      return usageOf(filters.values(), orgId);
    },
    async findForUpdate(id) {
      return find(id);
    },
    async add(filter) {
      if (!canReach(scope, filter.orgId) || !world.organizations.has(filter.orgId)) {
        throw new Error(`there is no organization ${filter.orgId} within the transaction's scope`);
      }
      if (filters.get(filter.id) !== null) throw new Error(`filter ${filter.id} already exists`);
      filters.set(filter.id, Object.freeze({ ...filter }));
    },
    async replace(filter) {
      const { orgId } = mustFind(filter.id);
      if (filter.orgId !== orgId) throw new Error(`filter ${filter.id} cannot move to another organization`);
      filters.set(filter.id, Object.freeze({ ...filter }));
    },
    async remove(id) {
      filters.delete(mustFind(id).id);
    },
  };
}

export function usageOf(filters: Iterable<SavedFilter>, orgId: OrgId): FilterUsage {
  const usage = { filters: 0, conditionBytes: 0 };
  for (const filter of filters) {
    if (filter.orgId !== orgId) continue;
    usage.filters += 1;
    usage.conditionBytes += conditionBytesOf(filter);
  }
  return usage;
}

/** Cached, because counting 64 MiB takes long. Rows are frozen, so the cache stays valid. */
export function conditionBytesOf(filter: SavedFilter): number {
  const bytes = BYTES.get(filter) ?? utf8Length(filter.conditionsJson);
  BYTES.set(filter, bytes);
  return bytes;
}

const BYTES = new WeakMap<SavedFilter, number>();
