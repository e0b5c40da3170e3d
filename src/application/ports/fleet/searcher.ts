/** Looks for a text in everything that is kept by tenant (Spec: Search; Contract: §6). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Result } from '#domain/result.ts';
import type { StoredCategory } from '#domain/search/search-category.ts';
import type { SearchHit } from '#domain/search/search-hit.ts';

export interface SearchRequest {
  /** What to look for, literally and in any case: 1-100 code points, trimmed, storable, not folded yet. */
  readonly text: string;
  readonly scope: AccessScope;
  /** So many of each category are wanted. 1-50. */
  readonly limit: number;
  /** Where to look; what is not named comes back empty. */
  readonly categories: readonly StoredCategory[];
  /** Whose share of the machine the work counts towards; callers are kept from starving each other. */
  readonly onBehalfOf: string;
  /** Ends the work when it fires. */
  readonly signal?: AbortSignal;
}

/** The hits of each category. */
export type SearchCandidates = Readonly<Record<StoredCategory, readonly SearchHit[]>>;

export type SearchRefusal = { readonly kind: 'timeout' } | { readonly kind: 'cancelled' };

export interface Searcher {
  /**
   * Of each category at least the best `limit` in the order of `compareRankedHits`; more is allowed, and they come
   * in no particular order. Each comes once, is in reach and has the folded text (`foldCase`) in one of its folded
   * fields: a device in hostname, displayName or lastUser; a script in name or description; an alert in title or
   * message. Titles and descriptions are those of `toDeviceHit`, `toScriptHit` and `toAlertHit`.
   *
   * A partner's script is in reach of whoever reaches one of the partner's organizations, and of those who reach
   * the partner as a whole (`isWhole`), though it have no organization.
   */
  search(request: SearchRequest): Promise<Result<SearchCandidates, SearchRefusal>>;
}
