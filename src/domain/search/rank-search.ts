import { foldCase } from '#domain/text/fold-case.ts';
import {
  compareRankedHits,
  findMatch,
  rankHit,
  SEARCH_CATEGORIES,
  type SearchCategory,
  type SearchedField,
  type SearchHit,
  type StoredCategory,
} from './search-hit.ts';
import type { SettingsHit } from './settings-entries.ts';
import { compareSimilarHits, makeRankSimilar } from './similar-hit.ts';

/** Spec: Search result item. */
export type SearchResultItem =
  | ({ readonly type: StoredCategory } & ResultTexts)
  | ({ readonly type: 'settings'; readonly href: string } & ResultTexts);

interface ResultTexts extends Pick<SearchHit, 'id' | 'title' | 'description'> {
  /** The field that contains the text. Set only if the search asked for it and the title does not contain the text. */
  readonly match?: SearchedField;
  /** The title resembles the text, which no record contains. */
  readonly isApproximate?: true;
}

/** All hits, or at least the best `limit` of each category; without duplicates, in any order. */
export interface SearchHits extends Readonly<Record<StoredCategory, readonly SearchHit[]>> {
  readonly settings: readonly SettingsHit[];
}

/** Best first within each category. `text` is not folded. */
export function rankSearch(
  found: SearchHits,
  text: string,
  limit: number,
  saysMatch = false,
): readonly SearchResultItem[] {
  const foldedText = foldCase(text);
  const counts = SEARCH_CATEGORIES.map((category) => found[category].length);
  const shares = shareLimit(counts, limit);
  return SEARCH_CATEGORIES.flatMap((category, i) =>
    hitsOf(found, category)
      .map((typed) => ({ ...rankHit(typed.hit, foldedText), typed }))
      .sort(compareRankedHits)
      .slice(0, shares[i])
      .map(({ typed }) => {
        const match = saysMatch ? findMatch(typed.hit, foldedText) : null;
        return { ...toResult(typed), ...(match !== null && { match }) };
      }),
  );
}

/** The `limit` most similar hits of all categories together. */
export function rankSimilar(found: SearchHits, text: string, limit: number): readonly SearchResultItem[] {
  const rank = makeRankSimilar(text);
  return SEARCH_CATEGORIES.flatMap((category) => hitsOf(found, category))
    .flatMap((typed) => {
      const ranked = rank(typed.hit);
      return ranked === null ? [] : [{ ...ranked, typed }];
    })
    .sort(compareSimilarHits)
    .slice(0, limit)
    .map(({ typed }) => ({ ...toResult(typed), isApproximate: true }));
}

type TypedHit =
  | { readonly type: StoredCategory; readonly hit: SearchHit }
  | { readonly type: 'settings'; readonly hit: SettingsHit };

function hitsOf(found: SearchHits, category: SearchCategory): readonly TypedHit[] {
  return category === 'settings'
    ? found.settings.map((hit) => ({ type: category, hit }))
    : found[category].map((hit) => ({ type: category, hit }));
}

function toResult(typed: TypedHit): SearchResultItem {
  const { id, title, description } = typed.hit;
  return typed.type === 'settings'
    ? { type: typed.type, id, title, description, href: typed.hit.href }
    : { type: typed.type, id, title, description };
}

/**
 * Shares a limit among categories (Contract: §6). In each round, every category with matches left (`counts`)
 * gets one more place, in order.
 */
export function shareLimit(counts: readonly number[], limit: number): readonly number[] {
  const shares = counts.map(() => 0);
  let left = Math.min(
    limit,
    counts.reduce((sum, count) => sum + count, 0),
  );
  for (let round = 1; left > 0; round++) {
    for (const [i, count] of counts.entries()) {
      if (count < round || left === 0) continue;
      shares[i] = round;
      left--;
    }
  }
  return shares;
}
