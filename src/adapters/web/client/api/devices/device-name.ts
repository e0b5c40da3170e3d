/** A device by its name (Contract: §10, GET /devices/:id). */
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#console/api/http.ts';

export interface NamedDevice {
  readonly id: string;
  readonly hostname: string;
  readonly displayName: string | null;
  readonly organization: { readonly name: string };
}

/** The same entry of the cache as the device's page, so that its visit costs one request. */
export const namedDeviceQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['device', id],
    queryFn: ({ signal }) => api.ask<NamedDevice>(`/devices/${encodeURIComponent(id)}`, { signal }),
  });
