import { queryOptions } from '@tanstack/react-query';
import type { ApiKey, CreatedApiKey } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import type { List } from '#console/api/pages.ts';

export type ApiKeyRecord = Pick<ApiKey, 'name' | 'permissions' | 'expiresAt'>;

export const apiKeysQuery = (api: Api) =>
  queryOptions({
    queryKey: ['api-keys'],
    queryFn: async ({ signal }) => (await api.call<List<ApiKey>>('/auth/api-keys', { signal })).data,
  });

export function createApiKey(api: Api, key: ApiKeyRecord): Promise<CreatedApiKey> {
  return api.call('/auth/api-keys', { method: 'POST', body: key });
}

export function revokeApiKey(api: Api, id: string): Promise<void> {
  return api.call(`/auth/api-keys/${id}`, { method: 'DELETE' });
}
