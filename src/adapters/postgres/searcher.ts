/** Searches on PostgreSQL: one statement and one snapshot over every category and organization in reach. */
import type { SearchCandidates, Searcher } from '#application/ports/searcher.ts';
import type { DeviceStatus } from '#domain/device/device.ts';
import type { AlertId, DeviceId, ScriptId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import type { StoredCategory } from '#domain/search/search-category.ts';
import type { SearchHit } from '#domain/search/search-hit.ts';
import { toAlertHit, toDeviceHit, toScriptHit } from '#domain/search/searched-thing.ts';
import { type HotReader, ReadRefused } from './hot-reader.ts';
import { ScopedStatement } from './sql/scoped-statement.ts';
import { SEARCH_BOUNDS, type SearchBounds } from './sql/search-statement.ts';
import { searchTerms } from './sql/search-terms.ts';

/** It gives the best `limit` of each category and no more. */
export function makeSearcher(reader: HotReader, bounds: SearchBounds = SEARCH_BOUNDS): Searcher {
  return {
    search: async ({ text, scope, limit, categories, onBehalfOf, signal }) => {
      const found: Record<StoredCategory, SearchHit[]> = { devices: [], scripts: [], alerts: [] };
      if (categories.length === 0) return ok(found);
      const statement = ScopedStatement.search(scope, categories, searchTerms(text), limit, bounds);
      try {
        const rows = await reader.read<FoundRow>(statement, {
          onBehalfOf,
          ...(signal !== undefined && { signal }),
          isNamed: statement.text.length <= MAX_NAMED_LENGTH,
          asTexts: true,
        });
        for (const row of rows) found[row[0]].push(TO_HIT[row[0]](row));
        return ok(found satisfies SearchCandidates);
      } catch (error) {
        if (error instanceof ReadRefused && error.refusal.kind !== 'invalid-pattern') {
          return err({ kind: error.refusal.kind });
        }
        throw error;
      }
    },
  };
}

/** A plan is good for every text that is looked for in a scope; one that names thousands of organizations is not kept. */
const MAX_NAMED_LENGTH = 1_000_000;

/** See `SEARCHED_TABLES`. */
type FoundRow = readonly [
  category: StoredCategory,
  id: string,
  first: string,
  second: string | null,
  third: string | null,
];

const TO_HIT: Readonly<Record<StoredCategory, (row: FoundRow) => SearchHit>> = {
  devices: ([, id, hostname, displayName, status]) =>
    toDeviceHit({ id: id as DeviceId, hostname, displayName, status: status as DeviceStatus }),
  scripts: ([, id, name, description]) => toScriptHit({ id: id as ScriptId, name, description }),
  alerts: ([, id, title, message]) => toAlertHit({ id: id as AlertId, title, message }),
};
