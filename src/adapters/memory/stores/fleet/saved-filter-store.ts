import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { SavedFilterReader, SavedFilterWriter } from '#application/ports/filters/saved-filter-store.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';
import { isSameOwner, mayChangeFor, ownersInReach } from '#domain/access/ownership.ts';
import { namedIn } from '#domain/filter/catalog/inner-filters.ts';
import type { FilterLink } from '#domain/filter/filter-links.ts';
import type { FilterUsage } from '#domain/filter/filter-quota.ts';
import {
  compareNewestFirst,
  type FilterVersion,
  MAX_FILTER_VERSIONS,
  ownerOfFilter,
  type SavedFilter,
  versionOf,
} from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId } from '#domain/ids.ts';
import { utf8Length } from '#domain/text/code-points.ts';

export function makeSavedFilterReader(
  world: Pick<World, 'filters' | 'filterVersions' | 'organizations'>,
): SavedFilterReader {
  const reaches = (scope: AccessScope) => {
    const isInReach = ownersInReach(scope, (orgId) => world.organizations.get(orgId)?.partnerId);
    return (filter: SavedFilter) => isInReach(ownerOfFilter(filter));
  };
  const versionsOf = (scope: AccessScope, id: FilterId): readonly FilterVersion[] => {
    const filter = world.filters.get(id);
    if (filter === undefined || !reaches(scope)(filter)) return [];
    return [versionOf(filter), ...(world.filterVersions.get(id) ?? []).toReversed()];
  };
  return {
    async find(scope, id) {
      const filter = world.filters.get(id);
      return filter !== undefined && reaches(scope)(filter) ? filter : null;
    },
    async *list(scope, select = () => true) {
      const isInReach = reaches(scope);
      yield* [...world.filters.values()]
        .filter((filter) => isInReach(filter) && select(filter))
        .sort(compareNewestFirst);
    },
    async heads(scope, orgId) {
      if (!canReach(scope, orgId)) return [];
      return [...world.filters.values()]
        .filter(reaches({ kind: 'organization', orgId }))
        .map(({ id, name, version, updatedAt, conditionsJson }) => {
          const named = namedIn(conditionsJson);
          return { id, name, version, updatedAt, conditionBytes: utf8Length(conditionsJson), named };
        });
    },
    async *findEach(scope, ids) {
      const isInReach = reaches(scope);
      for (const id of new Set(ids)) {
        const filter = world.filters.get(id);
        if (filter !== undefined && isInReach(filter)) yield filter;
      }
    },
    async *withInner(scope, ids) {
      const isInReach = reaches(scope);
      for (const id of reachedFrom(ids, (each) => linkAmong(world.filters, each)?.named ?? [])) {
        const filter = world.filters.get(id);
        if (filter !== undefined && isInReach(filter)) yield filter;
      }
    },
    async relyingOn(scope, id) {
      return relyingOn([...world.filters.values()].filter(reaches(scope)), id);
    },
    async *versions(scope, id) {
      yield* versionsOf(scope, id);
    },
    async findVersion(scope, id, version) {
      return versionsOf(scope, id).find((one) => one.version === version) ?? null;
    },
  };
}

export function makeSavedFilterWriter(
  world: Pick<World, 'organizations' | 'partners'>,
  { filters, filterVersions }: Pick<StagedTables, 'filters' | 'filterVersions'>,
  scope: AccessScope,
): SavedFilterWriter {
  const find = (id: FilterId): SavedFilter | null => {
    const filter = filters.get(id);
    return filter !== null && mayChangeFor(scope, ownerOfFilter(filter)) ? filter : null;
  };
  const isOwnerInReach = ownersInReach(scope, (orgId) => world.organizations.get(orgId)?.partnerId);
  const isInReach = (filter: SavedFilter) => isOwnerInReach(ownerOfFilter(filter));
  const exists = (owner: Owner): boolean =>
    owner.kind === 'organization'
      ? world.organizations.has(owner.orgId)
      : world.partners.has(owner.partnerId);
  const mustFind = (id: FilterId): SavedFilter => {
    const filter = find(id);
    if (filter === null) throw new Error(`there is no filter ${id} within the transaction's scope`);
    return filter;
  };
  return {
    async holdUsage(owner) {
      if (!mayChangeFor(scope, owner)) throw new Error(`the ${owner.kind} of the filters is out of reach`);
      return usageOf(filters.values(), owner);
    },
    // Nothing to lock: transactions run one after the other.
    async holdLinks(owner) {
      if (!mayChangeFor(scope, owner)) throw new Error(`the ${owner.kind} of the filters is out of reach`);
    },
    async relyingOn(id) {
      return relyingOn([...filters.values()].filter(isInReach), id);
    },
    async linksFrom(ids) {
      const reached = reachedFrom(ids, (each) => linkAmong(filters, each)?.named ?? []);
      return reached.flatMap((each) => {
        const filter = filters.get(each) ?? null;
        return filter !== null && isInReach(filter) ? [linkOf(filter)] : [];
      });
    },
    async findForUpdate(id) {
      return find(id);
    },
    async add(filter) {
      const owner = ownerOfFilter(filter);
      if (!mayChangeFor(scope, owner) || !exists(owner)) {
        throw new Error(`the transaction's scope has no such ${owner.kind} for filter ${filter.id}`);
      }
      if (filters.get(filter.id) !== null) throw new Error(`filter ${filter.id} already exists`);
      filters.set(filter.id, Object.freeze({ ...filter }));
    },
    async replace(filter) {
      const known = mustFind(filter.id);
      if (!isSameOwner(ownerOfFilter(known), ownerOfFilter(filter)))
        throw new Error(`filter ${filter.id} cannot move to another owner`);
      filterVersions.set(filter.id, supersede(filterVersions.get(filter.id) ?? [], known));
      filters.set(filter.id, Object.freeze({ ...filter }));
    },
    async remove(id) {
      filters.delete(mustFind(id).id);
      filterVersions.delete(id);
    },
  };
}

function reachedFrom(
  ids: readonly FilterId[],
  next: (id: FilterId) => readonly FilterId[],
): readonly FilterId[] {
  const reached = new Set(ids);
  for (const id of reached) for (const each of next(id)) reached.add(each);
  return [...reached];
}

function relyingOn(filters: readonly SavedFilter[], id: FilterId): readonly FilterLink[] {
  const links = filters.map(linkOf).filter(({ named }) => named.length > 0);
  const namers = (each: FilterId) => links.filter(({ named }) => named.includes(each)).map((link) => link.id);
  const reached = new Set(reachedFrom([id], namers));
  return links.filter((link) => link.id !== id && reached.has(link.id));
}

function linkAmong(
  filters: { get(id: FilterId): SavedFilter | null | undefined },
  id: FilterId,
): FilterLink | null {
  const filter = filters.get(id) ?? null;
  return filter === null ? null : linkOf(filter);
}

/** Rows are frozen, so the cached link stays valid. */
function linkOf(filter: SavedFilter): FilterLink {
  const { id, name, orgId, partnerId, version, conditionsJson } = filter;
  const link = LINKS.get(filter) ?? { id, name, orgId, partnerId, version, named: namedIn(conditionsJson) };
  LINKS.set(filter, link);
  return link;
}

const LINKS = new WeakMap<SavedFilter, FilterLink>();

export function supersede(kept: readonly FilterVersion[], filter: SavedFilter): readonly FilterVersion[] {
  return [...kept, versionOf(filter)].slice(1 - MAX_FILTER_VERSIONS);
}

export function usageOf(filters: Iterable<SavedFilter>, owner: Owner): FilterUsage {
  const usage = { filters: 0, conditionBytes: 0 };
  for (const filter of filters) {
    if (!isSameOwner(ownerOfFilter(filter), owner)) continue;
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
