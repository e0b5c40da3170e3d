import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  CustomField,
  Device,
  DeviceChanges,
  DeviceFilters,
  DevicePage,
  Duplicates,
} from '#adapters/http/api-types.ts';
import type { Api, ApiAnswer } from './http.ts';
import { listQuery, pagesQuery } from './pages.ts';

export interface DeviceQuery {
  /** Filter text; empty for all devices. */
  readonly q: string;
  readonly orgId: string | null;
  readonly sort: string;
  /** Keys of extra fields to load, such as custom fields. */
  readonly fields?: readonly string[];
}

export const DEVICE_PAGE_SIZE = 100;

/** The API's largest offset. */
const MAX_OFFSET = 1_000_000;

const pageKey = (query: DeviceQuery, page: number) => ['devices', query, page] as const;

/** Pages count from 0. If the previous page is loaded, its cursor is sent; otherwise the offset. */
export const devicePageQuery = (api: Api, queries: QueryClient, query: DeviceQuery, page: number) =>
  queryOptions({
    queryKey: pageKey(query, page),
    queryFn: ({ signal }) => {
      const cursor =
        page === 0 ? null : (queries.getQueryData<DevicePage>(pageKey(query, page - 1))?.nextCursor ?? null);
      const offset = Math.min(page * DEVICE_PAGE_SIZE, MAX_OFFSET);
      return api.call<DevicePage>('/devices/query', {
        method: 'POST',
        body: {
          q: query.q,
          sort: query.sort,
          limit: DEVICE_PAGE_SIZE,
          ...(query.orgId !== null && { orgId: query.orgId }),
          ...(query.fields !== undefined && { fields: query.fields }),
          ...(cursor !== null ? { cursor } : page > 0 && { offset, count: false }),
        },
        signal,
      });
    },
    // Later pages are never refetched, so rows do not move while someone reads them.
    ...(page > 0 && { staleTime: Number.POSITIVE_INFINITY }),
  });

export type Wanted = { readonly q: string } | { readonly conditions: unknown };

/** Uses the list route, because each call of the preview route is written to the audit log. */
export const deviceCountQuery = (api: Api, wanted: Wanted, orgId: string | null) =>
  queryOptions({
    queryKey: ['device-count', JSON.stringify(wanted), orgId],
    queryFn: async ({ signal }) => {
      const body = { ...wanted, limit: 1, count: true, ...(orgId !== null && { orgId }) };
      const page = await api.call<DevicePage>('/devices/query', { method: 'POST', body, signal });
      return page.totalCount ?? 0;
    },
    staleTime: 30_000,
    retry: false,
  });

const deviceKey = (id: string) => ['device', id] as const;

export const deviceQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: deviceKey(id),
    queryFn: ({ signal }) => api.ask<Device>(`/devices/${encodeURIComponent(id)}`, { signal }),
  });

/** Throws `ApiError` with status 412 if the device has changed. */
export async function changeDevice(
  api: Api,
  queries: QueryClient,
  id: string,
  etag: string | null,
  changes: DeviceChanges,
): Promise<void> {
  const answer: ApiAnswer<Device> = await api.ask(`/devices/${encodeURIComponent(id)}`, {
    method: 'PATCH',
    body: changes,
    ...(etag !== null && { headers: { 'If-Match': etag } }),
  });
  queries.setQueryData(deviceKey(id), answer);
  await queries.invalidateQueries({ queryKey: ['devices'], refetchType: 'none' });
  await queries.invalidateQueries({ queryKey: ['device-filters', id] });
}

async function forget(queries: QueryClient, id: string): Promise<void> {
  queries.removeQueries({ queryKey: deviceKey(id) });
  await queries.invalidateQueries({ queryKey: ['devices'], refetchType: 'none' });
  for (const key of [DUPLICATES, 'organizations', 'summary'])
    await queries.invalidateQueries({ queryKey: [key] });
}

/** Throws `ApiError` with status 412 if the device has changed. */
export async function deleteDevice(
  api: Api,
  queries: QueryClient,
  id: string,
  etag: string | null,
): Promise<void> {
  await api.call(`/devices/${encodeURIComponent(id)}`, {
    method: 'DELETE',
    ...(etag !== null && { headers: { 'If-Match': etag } }),
  });
  await forget(queries, id);
}

export async function mergeDevices(
  api: Api,
  queries: QueryClient,
  id: string,
  body: { readonly deviceId: string; readonly force: boolean },
): Promise<void> {
  const path = `/devices/${encodeURIComponent(id)}/merge`;
  queries.setQueryData(deviceKey(id), await api.ask<Device>(path, { method: 'POST', body }));
  await forget(queries, body.deviceId);
}

const DUPLICATES = '/devices/duplicates';

export const duplicatesQuery = (api: Api, orgId: string | null) =>
  pagesQuery<Duplicates['data'][number]>(api, DUPLICATES, { orgId: orgId ?? undefined });

export type FilterName = DeviceFilters['data'][number];

export const deviceFiltersQuery = (api: Api, id: string) =>
  listQuery<FilterName>(api, ['device-filters', id], `/devices/${encodeURIComponent(id)}/filters`);

export const customFieldsQuery = (api: Api) =>
  queryOptions({ ...listQuery<CustomField>(api, ['custom-fields'], '/custom-fields'), staleTime: 60_000 });
