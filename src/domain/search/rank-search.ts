/** Ranks the hits of a search into its results (Spec: Search result item; Contract: §6). */
import { foldCase } from '#domain/text/fold-case.ts';
import { SEARCH_CATEGORIES, type SearchCategory, type StoredCategory } from './search-category.ts';
import { compareRankedHits, rankHit, type SearchHit } from './search-hit.ts';
import type { SettingsHit } from './settings-entries.ts';
import { shareLimit } from './share-limit.ts';

/** Spec: Search result item. */
export type SearchResultItem =
  | ({ readonly type: StoredCategory } & SearchHit)
  | ({ readonly type: 'settings' } & SettingsHit);

/** All hits by category, or at least the best `limit` of each; no duplicates, in any order. */
export interface SearchHits extends Readonly<Record<StoredCategory, readonly SearchHit[]>> {
  readonly settings: readonly SettingsHit[];
}

/**
 * At most `limit` results, category by category, best first within each. `text` is the text searched for, not folded.
 */
export function rankSearch(found: SearchHits, text: string, limit: number): readonly SearchResultItem[] {
  const foldedText = foldCase(text);
  const counts = SEARCH_CATEGORIES.map((category) => found[category].length);
  const shares = shareLimit(counts, limit);
  return SEARCH_CATEGORIES.flatMap((category, i) =>
    toResults(found, category, foldedText).slice(0, shares[i]),
  );
}

/** All results of one category, best first. */
function toResults(
  found: SearchHits,
  category: SearchCategory,
  foldedText: string,
): readonly SearchResultItem[] {
  if (category === 'settings') {
    return sortHits(found.settings, foldedText).map(({ id, title, description, href }) => ({
      type: category,
      id,
      title,
      description,
      href,
    }));
  }
  return sortHits(found[category], foldedText).map(({ id, title, description }) => ({
    type: category,
    id,
    title,
    description,
  }));
}

function sortHits<Hit extends SearchHit>(hits: readonly Hit[], foldedText: string): readonly Hit[] {
  return hits
    .map((hit) => rankHit(hit, foldedText))
    .sort(compareRankedHits)
    .map(({ hit }) => hit);
}
