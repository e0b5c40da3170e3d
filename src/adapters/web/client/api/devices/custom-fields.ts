import { queryOptions } from '@tanstack/react-query';
import type { CustomField } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import type { List } from '#console/api/pages.ts';

export const customFieldsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['custom-fields'],
    queryFn: async ({ signal }) => (await api.call<List<CustomField>>('/custom-fields', { signal })).data,
    staleTime: 60_000,
  });
