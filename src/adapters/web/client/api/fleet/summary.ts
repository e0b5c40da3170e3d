import { queryOptions } from '@tanstack/react-query';
import type { Summary } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';

/** Contract: §10. `orgId` null: all organizations in reach. */
export const summaryQuery = (api: Api, orgId: string | null) =>
  queryOptions({
    queryKey: ['summary', orgId],
    queryFn: ({ signal }) => api.call<Summary>('/summary', { query: { orgId }, signal }),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
