import { queryOptions } from '@tanstack/react-query';
import type { CreatedEnrolmentKey, EnrolmentKey } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import type { List } from '#console/api/pages.ts';

export type NewEnrolmentKey = Pick<EnrolmentKey, 'orgId' | 'siteId' | 'name' | 'expiresAt'>;

export const enrolmentKeysQuery = (api: Api) =>
  queryOptions({
    queryKey: ['enrolment-keys'],
    queryFn: async ({ signal }) => (await api.call<List<EnrolmentKey>>('/enrolment-keys', { signal })).data,
  });

export function createEnrolmentKey(api: Api, key: NewEnrolmentKey): Promise<CreatedEnrolmentKey> {
  return api.call('/enrolment-keys', { method: 'POST', body: key });
}

export function revokeEnrolmentKey(api: Api, id: string): Promise<void> {
  return api.call(`/enrolment-keys/${id}`, { method: 'DELETE' });
}
