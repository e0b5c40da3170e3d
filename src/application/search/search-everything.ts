/** GET /search (Contract: §6). Needs no permission. */

import { makeNarrowReach, type NarrowReachDeps } from '#application/access/narrow-reach.ts';
import {
  type ApplicationError,
  CANCELLED,
  type FieldError,
  toValidationError,
} from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { readWholeNumber } from '#application/input-values.ts';
import type { SearchContext, Searcher, SearchRefusal } from '#application/ports/search/searcher.ts';
import { workFor } from '#application/work-for.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { type OrgId, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { rankSearch, rankSimilar, type SearchResultItem } from '#domain/search/rank-search.ts';
import { parseSearchText, STORED_CATEGORIES } from '#domain/search/search-hit.ts';
import { findSettings, openSettings } from '#domain/search/settings-entries.ts';
import { canBeApproximate } from '#domain/search/similar-hit.ts';

/** The limit for all categories together (Spec: Limits). */
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
  /** Returns similar titles if nothing contains the text. */
  readonly approximate?: unknown;
  /** Adds the organization of each result, and the device of an alert. */
  readonly context?: unknown;
  /** Restricts results to this organization, its partner, and settings. */
  readonly orgId?: unknown;
}

/** `context` is present if it was requested and the result is not a setting. */
export type FoundItem = SearchResultItem & { readonly context?: SearchContext };

/** At most `limit` results, grouped by category, best first. Searches are not audited. */
export type SearchEverything = (
  call: Call,
  input: SearchInput,
) => Promise<Result<readonly FoundItem[], ApplicationError>>;

export interface SearchEverythingDeps extends NarrowReachDeps {
  readonly searcher: Searcher;
}

export function makeSearchEverything(deps: SearchEverythingDeps): SearchEverything {
  const narrowReach = makeNarrowReach(deps);
  return async (call, { q, limit, match, approximate, context, orgId }) => {
    const text = toSearchText(q);
    const size = readWholeNumber('limit', limit, SEARCH_LIMIT);
    const saysMatch = toSearchFlag('match', match);
    const mayResemble = toSearchFlag('approximate', approximate);
    const saysContext = toSearchFlag('context', context);
    const narrowedTo = toOrganization(orgId);
    if (!text.ok || !size.ok || !saysMatch.ok || !mayResemble.ok || !saysContext.ok || !narrowedTo.ok) {
      const read = [text, size, saysMatch, mayResemble, saysContext, narrowedTo];
      return err(toValidationError(read.flatMap((one) => (one.ok ? [] : [one.error]))));
    }
    const scope = await narrowReach(call, narrowedTo.value);
    if (!scope.ok) return scope;
    const settings = findSettings(call.caller, text.value);
    const found = await deps.searcher.search({
      text: text.value,
      scope: scope.value,
      limit: size.value,
      categories: STORED_CATEGORIES,
      orSimilar: mayResemble.value && settings.length === 0 && canBeApproximate(text.value),
      ...workFor(call),
    });
    if (!found.ok) return err(toApplicationError(found.error));
    const items = found.value.areSimilar
      ? rankSimilar({ ...found.value, settings: openSettings(call.caller) }, text.value, size.value)
      : rankSearch({ ...found.value, settings }, text.value, size.value, saysMatch.value);
    return ok(saysContext.value ? await withContexts(deps.searcher, scope.value, items) : items);
  };
}

async function withContexts(
  searcher: Searcher,
  scope: AccessScope,
  items: readonly SearchResultItem[],
): Promise<readonly FoundItem[]> {
  const things = items.flatMap(({ type, id }) => (type === 'settings' ? [] : [{ type, id }]));
  const contexts = await searcher.contextsOf(scope, things);
  const byThing = new Map(contexts.map((context) => [`${context.type} ${context.id}`, context]));
  return items.map((item) => {
    const context = byThing.get(`${item.type} ${item.id}`);
    return context === undefined ? item : { ...item, context };
  });
}

function toOrganization(value: unknown): Result<OrgId | null, FieldError> {
  if (value === undefined || value === null) return ok(null);
  const orgId = parseId<'organization'>(value);
  return orgId === null
    ? err({ path: 'orgId', code: 'invalid_value', message: 'orgId must be a UUID' })
    : ok(orgId);
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
