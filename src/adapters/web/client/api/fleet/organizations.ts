import { queryOptions } from '@tanstack/react-query';
import type { Organization } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import type { List } from '#console/api/pages.ts';

export const organizationsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['organizations'],
    queryFn: async ({ signal }) => (await api.call<List<Organization>>('/organizations', { signal })).data,
    staleTime: 60_000,
  });
