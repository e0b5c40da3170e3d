/** Saved filters, what they can be made of, and what they match (Contract: §3, §5, §10, §12). */

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  DevicePage,
  DeviceRow,
  Explanation,
  ListedField,
  SavedFilter,
  Site,
} from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import type { Data, List } from '#console/api/pages.ts';

export const FILTERS_KEY = ['filters'] as const;

/** TanStack Query compares answers by recursion, which trees of thousands of levels do not bear. */
const DEEP = { structuralSharing: false } as const;

export const filtersQuery = (api: Api) =>
  queryOptions({
    ...DEEP,
    queryKey: [...FILTERS_KEY, 'list'],
    queryFn: async ({ signal }) => (await api.call<List<SavedFilter>>('/filters', { signal })).data,
  });

/** The filter and its entity tag. */
export const filterQuery = (api: Api, id: string) =>
  queryOptions({
    ...DEEP,
    queryKey: [...FILTERS_KEY, 'one', id],
    queryFn: ({ signal }) => api.ask<SavedFilter>(`/filters/${encodeURIComponent(id)}`, { signal }),
    // What is being edited is not exchanged behind somebody's back.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const fieldsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['filter-fields'],
    queryFn: async ({ signal }) => (await api.call<List<ListedField>>('/filters/fields', { signal })).data,
    staleTime: 60_000,
  });

export const sitesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sites'],
    queryFn: async ({ signal }) => (await api.call<List<Site>>('/sites', { signal })).data,
    staleTime: 60_000,
  });

/** How many devices a saved filter matches. Not by a preview, which would be on record for each look at the list. */
export const filterCountQuery = (api: Api, { id, updatedAt }: SavedFilter) =>
  queryOptions({
    queryKey: ['filter-count', id, updatedAt],
    queryFn: async ({ signal }) => {
      const query = { filterId: id, limit: 1, count: true };
      return (await api.call<{ readonly totalCount: number }>('/devices', { query, signal })).totalCount;
    },
    staleTime: 60_000,
  });

/** What is asked of conditions while they are written; `json` is their text. */
export interface Asked {
  readonly json: string;
  readonly orgId: string | null;
}

/** `totalCount` is null only on later pages. */
export type Matches = DevicePage & { readonly totalCount: number };

/** The first ten devices and their number. The answer before stays until there is a new one. */
export const matchesQuery = (api: Api, asked: Asked | null) =>
  queryOptions({
    queryKey: ['filter-matches', asked],
    queryFn: ({ signal }) =>
      api.call<Matches>('/devices/query', {
        method: 'POST',
        body: {
          conditions: JSON.parse(asked?.json ?? 'null'),
          limit: 10,
          ...(asked?.orgId != null && { orgId: asked.orgId }),
        },
        signal,
      }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });

/** What each node matches by itself, and whether one device is among it. */
export const explanationQuery = (api: Api, asked: Asked | null, deviceId: string | null) =>
  queryOptions({
    queryKey: ['filter-explanation', asked, deviceId],
    queryFn: async ({ signal }) => {
      const body = {
        conditions: JSON.parse(asked?.json ?? 'null'),
        ...(asked?.orgId != null && { orgId: asked.orgId }),
        ...(deviceId !== null && { deviceId }),
      };
      const answer = await api.call<Data<Explanation>>('/filters/explain', {
        method: 'POST',
        body,
        signal,
      });
      return answer.data;
    },
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });

/** Devices whose name contains the text; nothing is asked before there is one, be it empty. */
export const namedDevicesQuery = (api: Api, text: string | null, orgId: string | null) =>
  queryOptions({
    queryKey: ['named-devices', text, orgId],
    queryFn: async ({ signal }) => {
      const wanted = (text ?? '').trim();
      const query = {
        q: wanted === '' ? '' : `"${wanted.replace(/[\\"]/g, '\\$&')}"`,
        limit: 10,
        count: false,
        orgId,
      };
      return (await api.call<List<DeviceRow>>('/devices', { query, signal })).data;
    },
    enabled: text !== null,
    placeholderData: keepPreviousData,
  });
