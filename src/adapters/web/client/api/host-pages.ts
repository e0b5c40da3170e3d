import { queryOptions } from '@tanstack/react-query';
import type { HostPages } from '#adapters/web/places.ts';
import { send, toApiError } from './http.ts';

export const hostPagesQuery = queryOptions({
  queryKey: ['host-pages'],
  queryFn: async ({ signal }): Promise<HostPages> => {
    const response = await send('/settings.json', { signal });
    if (!response.ok) throw await toApiError(response);
    return (await response.json()).hostPages;
  },
  staleTime: Number.POSITIVE_INFINITY,
});
