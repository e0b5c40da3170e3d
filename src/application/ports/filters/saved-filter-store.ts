/** Saved filters (Contract: §5, §18). A filter is in reach if its owner is (`ownersInReach`). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { FilterLink } from '#domain/filter/filter-links.ts';
import type { FilterUsage } from '#domain/filter/filter-quota.ts';
import type { FilterVersion, SavedFilter } from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId, OrgId } from '#domain/ids.ts';

/** Selects filters before their conditions are loaded. */
export type SelectFilter = (filter: Pick<SavedFilter, 'name' | 'description'>) => boolean;

/** A filter without its conditions. */
export interface FilterHead extends Pick<SavedFilter, 'id' | 'name' | 'version' | 'updatedAt'> {
  /** The length of the conditions' JSON text in UTF-8. */
  readonly conditionBytes: number;
  /** The filters that the conditions name. */
  readonly named: readonly FilterId[];
}

/** Each method reads one snapshot unless its comment says otherwise. */
export interface SavedFilterReader {
  /** Null if unknown or out of reach. */
  find(scope: AccessScope, id: FilterId): Promise<SavedFilter | null>;
  /**
   * The selected filters in reach, newest first, ties by descending id. They are read a few at a time, without a lock
   * or connection in between. A filter that exists throughout appears once; one that is created or deleted meanwhile
   * may be missing. Errors are thrown to the consumer.
   */
  list(scope: AccessScope, select?: SelectFilter): AsyncIterable<SavedFilter>;
  /** Filters of an organization and its partner from one snapshot, unordered. Empty if out of reach. */
  heads(scope: AccessScope, orgId: OrgId): Promise<readonly FilterHead[]>;
  /**
   * The filters of `ids` in reach, unordered, read as by `list`. If a filter changes meanwhile, its old or
   * new state is returned.
   */
  findEach(scope: AccessScope, ids: readonly FilterId[]): AsyncIterable<SavedFilter>;
  /** As `findEach`, plus all inner filters at any depth, each once. */
  withInner(scope: AccessScope, ids: readonly FilterId[]): AsyncIterable<SavedFilter>;
  /** Filters in reach that name this one, directly or through others, unordered. */
  relyingOn(scope: AccessScope, id: FilterId): Promise<readonly FilterLink[]>;
  /**
   * The last `MAX_FILTER_VERSIONS`, newest first, beginning with the current one. Read in portions, so a version that
   * is superseded meanwhile may be missing. Empty if unknown or out of reach.
   */
  versions(scope: AccessScope, id: FilterId): AsyncIterable<FilterVersion>;
  /** Null unless it is one of `versions`. */
  findVersion(scope: AccessScope, id: FilterId, version: number): Promise<FilterVersion | null>;
}

/** Works within a transaction, limited to owners that its scope may change (`mayChangeFor`). */
export interface SavedFilterWriter {
  /**
   * The part of the quota that an owner's filters use, locked against other holders and loads until the transaction
   * ends. To avoid deadlocks, take this lock before locking a filter. Throws if the scope may not change the owner's data.
   */
  holdUsage(owner: Owner): Promise<FilterUsage>;
  /**
   * Keeps links between filters of the owner and its partner unchanged until the transaction ends. Take this lock
   * before `holdUsage`.
   */
  holdLinks(owner: Owner): Promise<void>;
  /** As `SavedFilterReader.relyingOn`. Needs `holdLinks` first. */
  relyingOn(id: FilterId): Promise<readonly FilterLink[]>;
  /** The links of these filters and of all inner filters, unordered. Needs `holdLinks` first. */
  linksFrom(ids: readonly FilterId[]): Promise<readonly FilterLink[]>;
  /**
   * Locks the filter against other writers until the transaction ends. Null if unknown, or if the scope may not change
   * it.
   */
  findForUpdate(id: FilterId): Promise<SavedFilter | null>;
  /** Throws if the scope may not change the owner's data, or the owner is unknown. */
  add(filter: SavedFilter): Promise<void>;
  /** Needs `findForUpdate` first. */
  replace(filter: SavedFilter): Promise<void>;
  /** Needs `findForUpdate` first. */
  remove(id: FilterId): Promise<void>;
}
