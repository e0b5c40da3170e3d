/** Contract: §6. */

import { queryOptions } from '@tanstack/react-query';
import type { SavedFilter, SearchItem } from '#adapters/http/api-types.ts';
import { type Api, isOffline } from '#console/api/http.ts';
import type { List } from '#console/api/pages.ts';

const MAX_LENGTH = 100;

const LIMIT = 24;

/** In milliseconds, while the server cannot be reached. */
const RETRY_MS = 3_000;

const AT_ONCE = {
  // Someone is waiting, so a failure shows at once and is retried while the server is away.
  retry: false,
  refetchInterval: ({ state }: { readonly state: { readonly error: unknown } }) =>
    isOffline(state.error) ? RETRY_MS : false,
} as const;

export const searchQuery = (api: Api, text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => {
      const q = [...text].slice(0, MAX_LENGTH).join('');
      const query = { q, limit: LIMIT, match: true, approximate: true };
      return (await api.call<{ results: readonly SearchItem[] }>('/search', { query, signal })).results;
    },
    ...AT_ONCE,
  });

export type FilterByName = Pick<SavedFilter, 'id' | 'name' | 'description'>;

export const filtersByNameQuery = (api: Api, text: string) =>
  queryOptions({
    queryKey: ['filters', 'by-name', text],
    queryFn: async ({ signal }) =>
      (await api.call<List<FilterByName>>('/filters', { query: { search: text }, signal })).data,
    ...AT_ONCE,
  });
