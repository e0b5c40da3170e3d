import { queryOptions } from '@tanstack/react-query';
import { send, toApiError } from './http.ts';

/** Addresses of the host product's pages, from the server's configuration (Contract: §14). Null: not configured. */
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
