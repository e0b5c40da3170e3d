/**
 * Searches everything that the caller may see for a text (GET /search; Contract: §6). The spec names no permission for
 * it, so every caller can search every category within their reach.
 */
import { type ApplicationError, CANCELLED, toValidationError } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { Searcher, SearchRefusal } from '#application/ports/search/searcher.ts';
import { workFor } from '#application/work-for.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { rankSearch, type SearchResultItem } from '#domain/search/rank-search.ts';
import { STORED_CATEGORIES } from '#domain/search/search-category.ts';
import { findSettings } from '#domain/search/settings-entries.ts';
import { toSearchLimit, toSearchText } from './search-input.ts';

/** As sent, not checked yet. */
export interface SearchInput {
  readonly q: unknown;
  readonly limit: unknown;
}

/** At most `limit` results, by category, best first within each. Searches are not recorded in the audit log. */
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
