/** Saved filters (Contract: §5, §18). A filter is in reach if its owner is (`ownersInReach`). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { FilterLink } from '#domain/filter/filter-links.ts';
import type { FilterUsage } from '#domain/filter/filter-quota.ts';
import type { FilterVersion, SavedFilter } from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId, OrgId } from '#domain/ids.ts';

/** Selects by short members, so conditions are not loaded. */
export type SelectFilter = (filter: Pick<SavedFilter, 'name' | 'description'>) => boolean;

/** A filter without its conditions. */
export interface FilterHead extends Pick<SavedFilter, 'id' | 'name' | 'version' | 'updatedAt'> {
  /** JSON text in UTF-8. */
  readonly conditionBytes: number;
  /** The filters that its conditions name. */
  readonly named: readonly FilterId[];
}

/** Each read is of one instant. */
export interface SavedFilterReader {
  /** Null if unknown or out of reach. */
  find(scope: AccessScope, id: FilterId): Promise<SavedFilter | null>;
  /**
   * Selected filters in reach, newest first, ties by id, descending. They are read as they are consumed, a few at a
   * time, holding nothing in between. A filter that exists throughout appears once; one created or deleted meanwhile
   * may be missing. Throws errors to the consumer.
   */
  list(scope: AccessScope, select?: SelectFilter): AsyncIterable<SavedFilter>;
  /** An organization's filters and its partner's from one snapshot, unordered; empty if out of reach. */
  heads(scope: AccessScope, orgId: OrgId): Promise<readonly FilterHead[]>;
  /** Those in reach, unordered, read as with `list`: a filter changed meanwhile may be old or new. */
  findEach(scope: AccessScope, ids: readonly FilterId[]): AsyncIterable<SavedFilter>;
  /** As `findEach`, with all filters that these name, and those that they name in turn, each once. */
  withInner(scope: AccessScope, ids: readonly FilterId[]): AsyncIterable<SavedFilter>;
  /** The filters in reach that name it, or name one that does, and so on; unordered. */
  relyingOn(scope: AccessScope, id: FilterId): Promise<readonly FilterLink[]>;
  /**
   * The last `MAX_FILTER_VERSIONS`, newest first; the first is the filter as it is. Read in portions, so one that is
   * superseded meanwhile may be missing. Empty if unknown or out of reach.
   */
  versions(scope: AccessScope, id: FilterId): AsyncIterable<FilterVersion>;
  /** Null unless it is one of `versions`. */
  findVersion(scope: AccessScope, id: FilterId, version: number): Promise<FilterVersion | null>;
}

/** Changes within a transaction, limited to owners that its scope may change (`mayChangeFor`). */
export interface SavedFilterWriter {
  /**
   * What an owner's filters use. Locked until the transaction ends against other holders and loads. Take this lock before
   * locking a filter, or deadlocks follow. Throws if the owner must not be changed.
   */
  holdUsage(owner: Owner): Promise<FilterUsage>;
  /**
   * Keeps others from changing which filters name which, at the owner and its partner, until the transaction ends. Take
   * this lock before `holdUsage`.
   */
  holdLinks(owner: Owner): Promise<void>;
  /** As `SavedFilterReader.relyingOn`. Needs `holdLinks` first. */
  relyingOn(id: FilterId): Promise<readonly FilterLink[]>;
  /** These filters and those that they name, and so on; unordered. Needs `holdLinks` first. */
  linksFrom(ids: readonly FilterId[]): Promise<readonly FilterLink[]>;
  /** Locked against other writers until the transaction ends. Null if unknown, or if its owner must not be changed. */
  findForUpdate(id: FilterId): Promise<SavedFilter | null>;
  /** Throws if the owner is unknown or must not be changed. */
  add(filter: SavedFilter): Promise<void>;
  /** Needs `findForUpdate` first. */
  replace(filter: SavedFilter): Promise<void>;
  /** Needs `findForUpdate` first. */
  remove(id: FilterId): Promise<void>;
}
