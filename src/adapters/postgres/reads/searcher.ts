/**
 * Searches on PostgreSQL: one statement over every category and organization in reach, then a second one over the
 * categories in which the text is too common for the first. Each category comes from one snapshot.
 */
import type { SearchCandidates, Searcher } from '#application/ports/search/searcher.ts';
import type { DeviceStatus } from '#domain/device/device.ts';
import type { AlertId, DeviceId, ScriptId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import type { StoredCategory } from '#domain/search/search-category.ts';
import type { SearchHit } from '#domain/search/search-hit.ts';
import { toAlertHit, toDeviceHit, toScriptHit } from '#domain/search/searched-item.ts';
import { ReadRefused } from './read-refusal.ts';
import type { ScopedReader } from './scoped-reader.ts';
import { ScopedStatement } from './sql/scoped-statement.ts';
import { SEARCH_BOUNDS, type SearchBounds } from './sql/search/search-bounds.ts';
import { type SearchStep, searchTerms } from './sql/search/search-terms.ts';

/** Returns the best `limit` hits of each category and no more. */
export function makeSearcher(reader: ScopedReader, bounds: SearchBounds = SEARCH_BOUNDS): Searcher {
  return {
    search: async ({ text, scope, limit, categories, onBehalfOf, signal }) => {
      const found: Record<StoredCategory, SearchHit[]> = { devices: [], scripts: [], alerts: [] };
      const terms = searchTerms(text);
      const options = { onBehalfOf, startedAt: performance.now(), ...(signal !== undefined && { signal }) };

      /** Collects the hits and returns the categories that need another step. */
      const take = async (from: readonly StoredCategory[], step: SearchStep) => {
        const statement = ScopedStatement.search(scope, from, terms, limit, step, bounds);
        const isNamed = statement.text.length <= MAX_NAMED_LENGTH;
        const rows = await reader.read<FoundRow>(statement, { ...options, isNamed, asTexts: true });
        const left: StoredCategory[] = [];
        for (const row of rows) {
          if (row[1] === null) left.push(row[0]);
          else found[row[0]].push(TO_HIT[row[0]](row));
        }
        return left;
      };

      try {
        const left = categories.length > 0 ? await take(categories, 'first look') : [];
        if (left.length > 0) await take(left, 'in turn');
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

/** One plan serves every search in a scope. Statements that name thousands of organizations are not kept prepared. */
const MAX_NAMED_LENGTH = 1_000_000;

/** See `SEARCHED_TABLES`. */
type FoundRow = HitRow | readonly [category: StoredCategory, id: null, ...nothing: readonly null[]];
type HitRow = readonly [
  category: StoredCategory,
  id: string,
  first: string,
  second: string | null,
  third: string | null,
];

const TO_HIT: Readonly<Record<StoredCategory, (row: HitRow) => SearchHit>> = {
  devices: ([, id, hostname, displayName, status]) =>
    toDeviceHit({ id: id as DeviceId, hostname, displayName, status: status as DeviceStatus }),
  scripts: ([, id, name, description]) => toScriptHit({ id: id as ScriptId, name, description }),
  alerts: ([, id, title, message]) => toAlertHit({ id: id as AlertId, title, message }),
};
