/**
 * Looks for a text in everything that the caller may see (Spec: GET /search; Contract: §6). No permission is named
 * for it, so that everybody who is signed in searches every category within their reach.
 */
import { type ApplicationError, CANCELLED, toValidationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { Searcher, SearchRefusal } from '#application/ports/fleet/searcher.ts';
import { workFor } from '#application/work-for.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { rankSearch, type SearchResultItem } from '#domain/search/rank-search.ts';
import { STORED_CATEGORIES } from '#domain/search/search-category.ts';
import { findSettings } from '#domain/search/settings-entries.ts';
import { toSearchLimit, toSearchText } from './search-input.ts';

export interface SearchInput {
  readonly q: unknown;
  readonly limit: unknown;
}

/** At most `limit` results, category after category, the best first. It is not put on record. */
export type SearchEverything = (
  call: Call,
  input: SearchInput,
) => Promise<Result<readonly SearchResultItem[], ApplicationError>>;

export function makeSearchEverything(deps: { readonly searcher: Searcher }): SearchEverything {
  return async (call, { q, limit }) => {
    const text = toSearchText(q);
    const size = toSearchLimit(limit);
    if (!text.ok || !size.ok) {
      return err(toValidationError([text, size].flatMap((read) => (read.ok ? [] : [read.error]))));
    }
    const found = await deps.searcher.search({
      text: text.value,
      scope: call.caller.scope,
      limit: size.value,
      categories: STORED_CATEGORIES,
      ...workFor(call),
    });
    if (!found.ok) return err(toApplicationError(found.error));
    const settings = findSettings(call.caller, text.value);
    return ok(rankSearch({ ...found.value, settings }, text.value, size.value));
  };
}

function toApplicationError({ kind }: SearchRefusal): ApplicationError {
  switch (kind) {
    case 'timeout':
      return {
        code: 'search_timeout',
        detail: 'The search took too long; try a longer or less common text.',
      };
    case 'cancelled':
      return CANCELLED;
  }
}
