import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import type { SearchHit, StoredCategory } from '#domain/search/search-hit.ts';

export interface SearchRequest {
  /** Matched literally, ignoring case. 1-100 code points, trimmed, storable. */
  readonly text: string;
  readonly scope: AccessScope;
  /** Per category, 1-50. */
  readonly limit: number;
  /** Other categories come back empty. */
  readonly categories: readonly StoredCategory[];
  /** Finds similar titles if nothing contains the text. Default: false. */
  readonly orSimilar?: boolean;
  /** The request counts towards this user's share of capacity. */
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
}

/** Hits by category. */
export interface SearchCandidates extends Readonly<Record<StoredCategory, readonly SearchHit[]>> {
  /** True if the hits only resemble the text. */
  readonly areSimilar: boolean;
}

/** A stored thing by id. */
export interface FoundThing {
  readonly type: StoredCategory;
  readonly id: string;
}

/** Where a thing belongs. */
export interface SearchContext extends FoundThing {
  /** Null for a partner's script. */
  readonly organization: { readonly id: OrgId; readonly name: string } | null;
  /** The device of an alert; null for other things. */
  readonly device: { readonly id: DeviceId; readonly hostname: string } | null;
}

/** Out of time, or cancelled by the signal. */
export type SearchRefusal = { readonly kind: 'timeout' } | { readonly kind: 'cancelled' };

/**
 * Searches everything in reach (Spec: Search; Contract: §6). Rejects only if storage fails or the service is
 * overloaded.
 */
export interface Searcher {
  /**
   * Returns at least the best `limit` hits of each category by `compareRankedHits`, each once, unordered. A
   * hit contains the folded text (`foldCase`) in a folded field:
   * - a device in hostname, displayName or lastUser;
   * - a script in name or description;
   * - an alert in title or message.
   * Titles and descriptions are those of `toDeviceHit`, `toScriptHit` and `toAlertHit`. If nothing matches
   * and `orSimilar` is set, returns at least the best `limit` titles of each category that resemble the text
   * (`makeRankSimilar`), by `compareSimilarHits`. If many thousands of titles resemble the text, some
   * may be missing. A partner's script is in reach of callers who reach one of its organizations or the whole
   * partner (`isWhole`).
   */
  search(request: SearchRequest): Promise<Result<SearchCandidates, SearchRefusal>>;
  /** Unordered, without things that are gone or out of reach. */
  contextsOf(scope: AccessScope, things: readonly FoundThing[]): Promise<readonly SearchContext[]>;
}
