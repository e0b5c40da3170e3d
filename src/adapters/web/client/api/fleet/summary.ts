/** A fleet in a few numbers (Contract: §10, GET /summary). */

import { queryOptions } from '@tanstack/react-query';
import type { Summary } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';

/** Of one organization, or of all in reach. */
export const summaryQuery = (api: Api, orgId: string | null) =>
  queryOptions({
    queryKey: ['summary', orgId],
    queryFn: ({ signal }) => api.call<Summary>('/summary', { query: { orgId }, signal }),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
