import { queryOptions } from '@tanstack/react-query';
import type {
  Alert,
  CreatedEnrolmentKey,
  EnrolmentKey,
  Organization,
  Patch,
  Script,
  Summary,
} from '#adapters/http/api-types.ts';
import type { PatchStatus } from '#domain/fleet/fleet-record.ts';
import type { Api } from './http.ts';
import { listQuery, type Page, pagesQuery } from './pages.ts';

export const organizationsQuery = (api: Api) =>
  queryOptions({ ...listQuery<Organization>(api, ['organizations'], '/organizations'), staleTime: 60_000 });

/** Contract: §10. */
export const summaryQuery = (api: Api, orgId: string | null) =>
  queryOptions({
    queryKey: ['summary', orgId],
    queryFn: ({ signal }) => api.call<Summary>('/summary', { query: { orgId }, signal }),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });

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

interface Narrowed {
  readonly orgId: string | undefined;
}

export const scriptsQuery = (api: Api, wanted: Narrowed & { readonly search: string | undefined }) =>
  pagesQuery<Script>(api, '/scripts', { ...wanted });

export const patchesQuery = (api: Api, wanted: Narrowed & { readonly status: PatchStatus | undefined }) =>
  pagesQuery<Patch>(api, '/patches', { ...wanted });

export type NewEnrolmentKey = Pick<EnrolmentKey, 'orgId' | 'siteId' | 'name' | 'expiresAt'>;

export const enrolmentKeysQuery = (api: Api) =>
  listQuery<EnrolmentKey>(api, ['enrolment-keys'], '/enrolment-keys');

export function createEnrolmentKey(api: Api, key: NewEnrolmentKey): Promise<CreatedEnrolmentKey> {
  return api.call('/enrolment-keys', { method: 'POST', body: key });
}

export function revokeEnrolmentKey(api: Api, id: string): Promise<void> {
  return api.call(`/enrolment-keys/${id}`, { method: 'DELETE' });
}
