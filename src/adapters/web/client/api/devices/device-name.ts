import { queryOptions } from '@tanstack/react-query';
import type { Device } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';

type NamedDevice = Pick<Device, 'id' | 'hostname' | 'displayName' | 'organization'>;

/** Shares the cache entry of the device's page. */
export const namedDeviceQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['device', id],
    queryFn: ({ signal }) => api.ask<NamedDevice>(`/devices/${encodeURIComponent(id)}`, { signal }),
  });
