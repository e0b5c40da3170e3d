import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { Api, ApiRequest } from './http.ts';

export interface Data<T> {
  readonly data: T;
}

export type List<T> = Data<readonly T[]>;

export interface Page<T> extends List<T> {
  readonly nextCursor: string | null;
  /** The number of entries on all pages, if the API counts them. */
  readonly totalCount?: number;
}

/** For lists that come in a single answer. */
export const listQuery = <T>(
  api: Api,
  queryKey: QueryKey,
  path: string,
  query: NonNullable<ApiRequest['query']> = {},
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => (await api.call<List<T>>(path, { query, signal })).data,
  });

export const pagesQuery = <T>(api: Api, path: string, query: NonNullable<ApiRequest['query']>) =>
  infiniteQueryOptions({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }) =>
      api.call<Page<T>>(path, { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
