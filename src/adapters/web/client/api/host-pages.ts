/** Addresses of a host product's pages, which the server has from its configuration (Contract: §14). */
import { queryOptions } from '@tanstack/react-query';
import { send, toApiError } from './http.ts';

/** Null if it is not configured. */
export interface HostPages {
  readonly incidents: string | null;
  readonly remoteAccess: string | null;
  readonly vulnerabilities: string | null;
}

export const hostPagesQuery = queryOptions({
  queryKey: ['host-pages'],
  queryFn: async ({ signal }): Promise<HostPages> => {
    const response = await send('/settings.json', { signal });
    if (!response.ok) throw await toApiError(response);
    return (await response.json()).hostPages;
  },
  staleTime: Number.POSITIVE_INFINITY,
});
