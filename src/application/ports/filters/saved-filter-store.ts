/** Stores saved filters (Contract: §5). A filter is in reach if its organization is (`canReach`). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { FilterUsage } from '#domain/filter/filter-quota.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId, OrgId } from '#domain/ids.ts';

/** Selects filters by what is short in them; their conditions are not loaded for it. */
export type SelectFilter = (filter: Pick<SavedFilter, 'name' | 'description'>) => boolean;

/** A filter without what may be long in it. */
export interface FilterHead extends Pick<SavedFilter, 'id' | 'name' | 'version' | 'updatedAt'> {
  /** Of its conditions, as JSON text in UTF-8. */
  readonly conditionBytes: number;
}

/** Reads filters, each as of one instant. */
export interface SavedFilterReader {
  /** The filter; null if there is none or it is out of reach. */
  find(scope: AccessScope, id: FilterId): Promise<SavedFilter | null>;
  /**
   * The selected filters in reach (by default all), newest first, ties by id, descending. They are read as they are
   * consumed, few at a time, and nothing is held in between: a filter that is there from the first to the last is
   * listed once, one that is created or deleted meanwhile may or may not be. Errors are thrown to the consumer.
   */
  list(scope: AccessScope, select?: SelectFilter): AsyncIterable<SavedFilter>;
  /** The heads of all filters of an organization, from one snapshot, in no particular order; none if it is out of reach. */
  heads(scope: AccessScope, orgId: OrgId): Promise<readonly FilterHead[]>;
  /**
   * Those of the filters with these ids that are in reach, in no particular order. They are read as with `list`, so one
   * that is changed meanwhile may come as it was or as it is.
   */
  findEach(scope: AccessScope, ids: readonly FilterId[]): AsyncIterable<SavedFilter>;
}

/** Changes to filters within a transaction, whose scope decides what is in reach. */
export interface SavedFilterWriter {
  /**
   * What the filters of an organization in reach amount to. Nobody else who holds it adds to them before the
   * transaction ends, and neither does a load. To be held before any filter is locked, lest two wait for each other.
   */
  holdUsage(orgId: OrgId): Promise<FilterUsage>;
  /** The filter, locked against other writers until the transaction ends; null as with `find`. */
  findForUpdate(id: FilterId): Promise<SavedFilter | null>;
  /** Adds a filter with a new id. Throws if its organization does not exist or is out of reach. */
  add(filter: SavedFilter): Promise<void>;
  /** Stores a new revision of a filter that `findForUpdate` gave. */
  replace(filter: SavedFilter): Promise<void>;
  /** Removes a filter that `findForUpdate` gave. */
  remove(id: FilterId): Promise<void>;
}
