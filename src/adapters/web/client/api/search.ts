import { queryOptions } from '@tanstack/react-query';
import type { SavedFilter, SearchItem } from '#adapters/http/api-types.ts';
import type { Api } from './http.ts';
import { listQuery } from './pages.ts';

/** The API's limit, in characters (Contract: §6). */
const MAX_LENGTH = 100;

const LIMIT = 24;

export const searchQuery = (api: Api, text: string, orgId: string | null) =>
  queryOptions({
    queryKey: ['search', text, orgId],
    queryFn: async ({ signal }) => {
      const q = [...text].slice(0, MAX_LENGTH).join('');
      const query = { q, limit: LIMIT, match: true, approximate: true, context: true, orgId };
      return (await api.call<{ results: readonly SearchItem[] }>('/search', { query, signal })).results;
    },
    // Without retries, a failure shows at once.
    retry: false,
  });

export type FilterByName = Pick<SavedFilter, 'id' | 'orgId' | 'partnerId' | 'name' | 'description'>;

export const filtersByNameQuery = (api: Api, text: string) =>
  queryOptions({
    ...listQuery<FilterByName>(api, ['filters', 'by-name', text], '/filters', { search: text }),
    retry: false,
  });
