/** The search over everything in reach (Contract: §6), and filters by name. */

import { queryOptions } from '@tanstack/react-query';
import type { SavedFilter, SearchItem } from '#adapters/http/api-types.ts';
import { type Api, isOffline } from '#console/api/http.ts';
import type { List } from '#console/api/pages.ts';

/** Code points that a search takes. */
const MAX_LENGTH = 100;

/** How many rows a palette has room for. */
const LIMIT = 24;

/** How often it is tried again while the server cannot be reached, in milliseconds. */
const RETRY_MS = 3_000;

const AT_ONCE = {
  // Somebody waits for it: that it failed is said at once, and it is asked again once there is hope.
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

/** Those whose name or description has the text. */
export const filtersByNameQuery = (api: Api, text: string) =>
  queryOptions({
    queryKey: ['filters', 'by-name', text],
    queryFn: async ({ signal }) =>
      (await api.call<List<FilterByName>>('/filters', { query: { search: text }, signal })).data,
    ...AT_ONCE,
  });
