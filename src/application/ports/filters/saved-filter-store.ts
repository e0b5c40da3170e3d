/** Where saved filters are kept. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId } from '#domain/ids.ts';

export interface SavedFilterReader {
  /** The filter, or null where there is none or its organization is out of reach. */
  find(scope: AccessScope, id: FilterId): Promise<SavedFilter | null>;
  /** Every filter in reach, newest first, ties by id, descending. */
  list(scope: AccessScope): Promise<readonly SavedFilter[]>;
}

/** What a transaction may do with filters; its scope is the transaction's. */
export interface SavedFilterWriter {
  /** The filter, held against other writers until the transaction ends; null as with `find`. */
  findForUpdate(id: FilterId): Promise<SavedFilter | null>;
  /** Adds a filter. Its organization exists and is in reach. */
  add(filter: SavedFilter): Promise<void>;
  /** Puts a new revision in the place of the filter that `findForUpdate` gave. */
  replace(filter: SavedFilter): Promise<void>;
  /** Removes the filter that `findForUpdate` gave. */
  remove(id: FilterId): Promise<void>;
}
