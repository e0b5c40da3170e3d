/** Searches everything that belongs to a tenant for a text (Spec: Search; Contract: §6). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Result } from '#domain/result.ts';
import type { StoredCategory } from '#domain/search/search-category.ts';
import type { SearchHit } from '#domain/search/search-hit.ts';

/** What to search for, and for whom. */
export interface SearchRequest {
  /** Searched literally and in any case: 1-100 code points, trimmed, storable, not case-folded yet. */
  readonly text: string;
  readonly scope: AccessScope;
  /** How many hits of each category are wanted, 1-50. */
  readonly limit: number;
  /** The categories to search; the others come back empty. */
  readonly categories: readonly StoredCategory[];
  /** Whether hits that resemble the text are wanted where nothing contains it; by default not. */
  readonly orSimilar?: boolean;
  /** The user whose share of capacity the work counts towards; users cannot starve each other. */
  readonly onBehalfOf: string;
  /** Cancels the work. */
  readonly signal?: AbortSignal;
}

/** The hits of each category. */
export interface SearchCandidates extends Readonly<Record<StoredCategory, readonly SearchHit[]>> {
  /** Whether they only resemble the text. */
  readonly areSimilar: boolean;
}

/** Why there are no hits: out of time, or cancelled by the signal. */
export type SearchRefusal = { readonly kind: 'timeout' } | { readonly kind: 'cancelled' };

/** Rejects only if storage fails or the service is overloaded. */
export interface Searcher {
  /**
   * For each category at least the best `limit` hits in the order of `compareRankedHits`, possibly more, each once, in
   * no particular order. A hit is in reach and contains the folded text (`foldCase`) in one of its folded fields: a
   * device in hostname, displayName or lastUser; a script in name or description; an alert in title or message.
   * Titles and descriptions are those of `toDeviceHit`, `toScriptHit` and `toAlertHit`.
   *
   * If nothing matches and similar ones are wanted: for each category at least the best `limit` in the order of
   * `compareSimilarHits` of those in reach whose title resembles the text (`makeRankSimilar`). Of many thousands that
   * do, or where comparing them takes too long, some may be missing.
   *
   * A partner's script is in reach of those who reach one of the partner's organizations, and of those who reach the
   * partner as a whole (`isWhole`), even if it has no organization.
   */
  search(request: SearchRequest): Promise<Result<SearchCandidates, SearchRefusal>>;
}
