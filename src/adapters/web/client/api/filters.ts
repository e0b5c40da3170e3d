import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  Completion,
  DevicePage,
  DeviceRow,
  Explanation,
  FilterVersion,
  Impact,
  ListedField,
  ParsedText,
  SavedFilter,
  Site,
} from '#adapters/http/api-types.ts';
import { type CompletionItem, toValueItem } from '#domain/filter/text/complete/completion-items.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import { printKey, quote } from '#domain/filter/text/text-keys.ts';
import type { Api } from './http.ts';
import { type Data, type List, listQuery } from './pages.ts';

export const FILTERS_KEY = ['filters'] as const;

/** Structural sharing would overflow the stack on trees of thousands of levels. */
const DEEP = { structuralSharing: false } as const;

export const filtersQuery = (api: Api) =>
  queryOptions({ ...listQuery<SavedFilter>(api, [...FILTERS_KEY, 'list'], '/filters'), ...DEEP });

export const namedFiltersQuery = (api: Api) =>
  queryOptions({ ...filtersQuery(api), select: toNamed, staleTime: 60_000 });

export type NamedFilter = Pick<SavedFilter, 'id' | 'name' | 'orgId' | 'partnerId'>;

function toNamed(filters: readonly SavedFilter[]): readonly NamedFilter[] {
  return filters.map(({ id, name, orgId, partnerId }) => ({ id, name, orgId, partnerId }));
}

export const filterQuery = (api: Api, id: string) =>
  queryOptions({
    ...DEEP,
    queryKey: [...FILTERS_KEY, 'one', id],
    queryFn: ({ signal }) => api.ask<SavedFilter>(`/filters/${encodeURIComponent(id)}`, { signal }),
    // A background refetch would replace the filter while it is being edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const impactQuery = (api: Api, id: string, etag: string | null, json: string | null) =>
  queryOptions({
    queryKey: [...FILTERS_KEY, 'impact', id, etag, json],
    queryFn: async ({ signal }) => {
      const body = { conditions: JSON.parse(json ?? 'null') };
      return (await api.call<Data<Impact>>(`/filters/${id}/impact`, { method: 'POST', body, signal })).data;
    },
    enabled: json !== null,
    retry: false,
  });

/** The impact includes indirect uses of the filter. */
export async function impactNow(api: Api, { id, conditions }: SavedFilter): Promise<Impact> {
  const answer = await api.call<Data<Impact>>(`/filters/${id}/impact`, {
    method: 'POST',
    body: { conditions },
  });
  return answer.data;
}

/** Newest first. */
export const versionsQuery = (api: Api, id: string, etag: string | null) =>
  queryOptions({
    ...DEEP,
    queryKey: [...FILTERS_KEY, 'versions', id, etag],
    queryFn: async ({ signal }) =>
      (await api.call<Data<readonly FilterVersion[]>>(`/filters/${id}/versions`, { signal })).data,
  });

export const fieldsQuery = (api: Api) =>
  queryOptions({ ...listQuery<ListedField>(api, ['filter-fields'], '/filters/fields'), staleTime: 60_000 });

export const sitesQuery = (api: Api) =>
  queryOptions({ ...listQuery<Site>(api, ['sites'], '/sites'), staleTime: 60_000 });

/** Uses the list route, because each call of the preview route is written to the audit log. */
export const filterCountQuery = (api: Api, { id, updatedAt }: SavedFilter, orgId: string | null) =>
  queryOptions({
    queryKey: ['filter-count', id, updatedAt, orgId],
    queryFn: async ({ signal }) => {
      const query = { filterId: id, orgId, limit: 1, count: true };
      return (await api.call<{ readonly totalCount: number }>('/devices', { query, signal })).totalCount;
    },
    staleTime: 60_000,
  });

export interface Asked {
  readonly json: string;
  readonly orgId: string | null;
}

/** Restricts the conditions to devices of these organizations. Null stands for all in reach. */
export function within(conditions: unknown, orgIds: readonly string[] | null): unknown {
  if (orgIds === null) return conditions;
  const isOfThese = { field: 'orgId', operator: 'in', value: orgIds };
  return { operator: 'AND', conditions: [conditions, isOfThese] };
}

/** `matchesQuery` loads only the first page, which always has `totalCount`. */
export type Matches = DevicePage & { readonly totalCount: number };

/** Keeps the last answer until a new one arrives. */
export const matchesQuery = (api: Api, asked: Asked | null, orgIds: readonly string[] | null) =>
  queryOptions({
    queryKey: ['filter-matches', asked, orgIds],
    queryFn: ({ signal }) =>
      api.call<Matches>('/devices/query', {
        method: 'POST',
        body: {
          conditions: within(JSON.parse(asked?.json ?? 'null'), orgIds),
          limit: 10,
          ...(asked?.orgId != null && { orgId: asked.orgId }),
        },
        signal,
      }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });

/** If `deviceId` is given, also says for each node whether it matches the device (Contract: §12). */
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
  });

/** Devices whose hostname, displayName or lastUser contains `text`. Null disables the query. */
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

/** Throws `ApiError` with all faults of the text (Contract: §11). */
export const parsedTextQuery = (api: Api, q: string) =>
  queryOptions({
    queryKey: ['filter-text', q],
    queryFn: async ({ signal }) =>
      (await api.call<Data<ParsedText>>('/filters/parse', { method: 'POST', body: { q }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Longer texts would not fit into the address of the request. */
const MAX_TYPED = 200;

/** Values that contain `typed`, most frequent first. */
export const knownValuesQuery = (api: Api, field: string, typed: string) =>
  queryOptions({
    queryKey: ['known-values', field, typed],
    queryFn: async ({ signal }): Promise<readonly CompletionItem[]> => {
      // An open quote makes the service complete only values.
      const query = { q: `${printKey(field)}:${quote(typed.slice(0, MAX_TYPED)).slice(0, -1)}` };
      const { data } = await api.call<Data<Completion>>('/filters/complete', { query, signal });
      // Drops words of the filter syntax, such as `none`.
      return data.items.filter(({ insert, label }) => insert === toValueItem(label).insert);
    },
    placeholderData: (before: readonly CompletionItem[] | undefined, query) =>
      query?.queryKey[1] === field ? before : undefined,
    staleTime: 60_000,
  });

export const filterConditionsQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['filter-conditions', id],
    queryFn: async ({ signal }) =>
      (await api.call<{ conditions: ConditionJson }>(`/filters/${encodeURIComponent(id)}`, { signal }))
        .conditions,
  });
