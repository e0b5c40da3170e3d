/** Contract: §10, GET /alerts. */

import { queryOptions } from '@tanstack/react-query';
import type { Alert } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import type { Page } from '#console/api/pages.ts';

const LIMIT = 200;

export const recentCriticalAlertsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['alerts', 'critical'],
    queryFn: async ({ signal }) => {
      const query = { status: 'active', severity: 'critical', limit: LIMIT };
      return (await api.call<Page<Alert>>('/alerts', { query, signal })).data;
    },
    staleTime: 60_000,
  });
