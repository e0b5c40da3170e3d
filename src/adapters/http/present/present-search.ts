/** Search results as JSON text, field by field (Spec: Search result item). */
import type { SearchResultItem } from '#domain/search/rank-search.ts';

/** `{results: [item]}`, without what is absent (Spec: Search result item). */
export function presentSearchResults(results: readonly SearchResultItem[]): string {
  return JSON.stringify({ results: results.map(presentSearchResult) });
}

function presentSearchResult(item: SearchResultItem): object {
  const { id, type, title, description, match, isApproximate } = item;
  return {
    id,
    type,
    title,
    ...(description !== null && { description }),
    ...(item.type === 'settings' && { href: item.href }),
    ...(match !== undefined && { match: { field: match.field, value: match.value } }),
    ...(isApproximate && { approximate: true }),
  };
}
