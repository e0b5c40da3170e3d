/** Lists that come page by page, each with the cursor of the next (Contract: §10). */
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Api, ApiRequest } from './http.ts';
import type { Page } from './types.ts';

export const pagesQuery = <T>(api: Api, path: string, query: NonNullable<ApiRequest['query']>) =>
  infiniteQueryOptions({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }) =>
      api.call<Page<T>>(path, { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
