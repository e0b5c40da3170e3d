/** Searches everything in the caller's reach (GET /search; Contract: §6). No permission is needed. */
import {
  type ApplicationError,
  CANCELLED,
  type FieldError,
  toValidationError,
} from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { readWholeNumber } from '#application/input-values.ts';
import type { Searcher, SearchRefusal } from '#application/ports/search/searcher.ts';
import { workFor } from '#application/work-for.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { rankSearch, rankSimilar, type SearchResultItem } from '#domain/search/rank-search.ts';
import { parseSearchText, STORED_CATEGORIES } from '#domain/search/search-hit.ts';
import { findSettings, openSettings } from '#domain/search/settings-entries.ts';
import { canBeApproximate } from '#domain/search/similar-hit.ts';

// Validates a search (Spec: Limits).

/** Results over all categories. */
export const SEARCH_LIMIT = { min: 1, max: 50, fallback: 20 } as const;

/** 1-100 code points after trimming. */
export function toSearchText(value: unknown): Result<string, FieldError> {
  const text = parseSearchText(value);
  if (text.ok) return text;
  const code = value === undefined ? 'value_required' : 'invalid_value';
  return err({ path: 'q', code, message: text.error });
}

/** Absent means false. */
export function toSearchFlag(name: string, value: unknown): Result<boolean, FieldError> {
  if (value === undefined || typeof value === 'boolean') return ok(value ?? false);
  return err({ path: name, code: 'invalid_value', message: `${name} must be true or false` });
}

export interface SearchInput {
  readonly q: unknown;
  readonly limit: unknown;
  /** Adds the matching field to results whose title does not match. */
  readonly match?: unknown;
  /** Asks for similar titles where nothing contains the text. */
  readonly approximate?: unknown;
}

/** At most `limit` results, by category, best first. Searches are not audited. */
export type SearchEverything = (
  call: Call,
  input: SearchInput,
) => Promise<Result<readonly SearchResultItem[], ApplicationError>>;

export function makeSearchEverything(deps: { readonly searcher: Searcher }): SearchEverything {
  return async (call, { q, limit, match, approximate }) => {
    const text = toSearchText(q);
    const size = readWholeNumber('limit', limit, SEARCH_LIMIT);
    const saysMatch = toSearchFlag('match', match);
    const mayResemble = toSearchFlag('approximate', approximate);
    if (!text.ok || !size.ok || !saysMatch.ok || !mayResemble.ok) {
      const read = [text, size, saysMatch, mayResemble];
      return err(toValidationError(read.flatMap((one) => (one.ok ? [] : [one.error]))));
    }
    const settings = findSettings(call.caller, text.value);
    const found = await deps.searcher.search({
      text: text.value,
      scope: call.caller.scope,
      limit: size.value,
      categories: STORED_CATEGORIES,
      orSimilar: mayResemble.value && settings.length === 0 && canBeApproximate(text.value),
      ...workFor(call),
    });
    if (!found.ok) return err(toApplicationError(found.error));
    return ok(
      found.value.areSimilar
        ? rankSimilar({ ...found.value, settings: openSettings(call.caller) }, text.value, size.value)
        : rankSearch({ ...found.value, settings }, text.value, size.value, saysMatch.value),
    );
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
