/** Stores saved filters (Contract: §5). A filter is in reach if its organization is (`canReach`). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId } from '#domain/ids.ts';

/** Reads filters, each as of one instant. */
export interface SavedFilterReader {
  /** The filter; null if there is none or it is out of reach. */
  find(scope: AccessScope, id: FilterId): Promise<SavedFilter | null>;
  /** Every filter in reach, newest first, ties by id, descending; none is an empty list. */
  list(scope: AccessScope): Promise<readonly SavedFilter[]>;
}

/** Changes to filters within a transaction, whose scope decides what is in reach. */
export interface SavedFilterWriter {
  /** The filter, locked against other writers until the transaction ends; null as with `find`. */
  findForUpdate(id: FilterId): Promise<SavedFilter | null>;
  /** Adds a filter with a new id. Throws if its organization does not exist or is out of reach. */
  add(filter: SavedFilter): Promise<void>;
  /** Stores a new revision of a filter that `findForUpdate` gave. */
  replace(filter: SavedFilter): Promise<void>;
  /** Removes a filter that `findForUpdate` gave. */
  remove(id: FilterId): Promise<void>;
}
