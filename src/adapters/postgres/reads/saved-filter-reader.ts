/** Saved filters as previews and the API read them; `transactional/saved-filter-store.ts` changes them. */
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import { lookUp } from './look-up.ts';
import type { ScopedReader } from './scoped-reader.ts';
import { ScopedStatement } from './sql/scoped-statement.ts';

export function makeSavedFilterReader(reader: ScopedReader): SavedFilterReader {
  return {
    find: async (scope, id) => {
      const [row] = await lookUp<SavedFilterRow>(reader, scope, ScopedStatement.savedFilter(scope, id));
      return row === undefined ? null : toSavedFilter(row);
    },
    list: async (scope) => {
      const rows = await lookUp<SavedFilterRow>(reader, scope, ScopedStatement.savedFilters(scope));
      return rows.map(toSavedFilter);
    },
  };
}

interface SavedFilterRow extends Pick<SavedFilter, 'id' | 'name' | 'description' | 'version'> {
  readonly org_id: SavedFilter['orgId'];
  readonly conditions: string;
  readonly created_by: SavedFilter['createdBy'];
  readonly created_at: Date;
  readonly updated_at: Date;
}

function toSavedFilter(row: SavedFilterRow): SavedFilter {
  return {
    id: row.id,
    orgId: row.org_id,
    name: row.name,
    description: row.description,
    conditionsJson: row.conditions,
    createdBy: row.created_by,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    version: row.version,
  };
}
