/** A device by its name (Contract: §10, GET /devices/:id). */

import { queryOptions } from '@tanstack/react-query';
import type { Device } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';

type NamedDevice = Pick<Device, 'id' | 'hostname' | 'displayName' | 'organization'>;

/** The same entry of the cache as the device's page, so that its visit costs one request. */
export const namedDeviceQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['device', id],
    queryFn: ({ signal }) => api.ask<NamedDevice>(`/devices/${encodeURIComponent(id)}`, { signal }),
  });
