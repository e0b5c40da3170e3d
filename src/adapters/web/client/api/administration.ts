import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AuditEntry, DeletionPage, DeletionRequest, PendingCount } from '#adapters/http/api-types.ts';
import type { DeletionStatus } from '#domain/deletion/deletion-request.ts';
import type { Api } from './http.ts';
import { pagesQuery } from './pages.ts';

export type Verdict = 'approve' | 'reject';

const PATH = '/admin/account-deletion-requests';

export const DELETION_REQUESTS_KEY = ['deletion-requests'] as const;

export const DELETION_PAGE_SIZE = 50;

const REFRESH_MS = 60_000;

export interface DeletionsWanted {
  readonly status: DeletionStatus | null;
  readonly orgId: string | null;
  readonly page: number;
}

export const deletionRequestsQuery = (api: Api, { status, orgId, page }: DeletionsWanted) =>
  queryOptions({
    queryKey: [...DELETION_REQUESTS_KEY, 'list', status, orgId, page],
    queryFn: ({ signal }) =>
      api.call<DeletionPage>(PATH, {
        query: { status, orgId, limit: DELETION_PAGE_SIZE, offset: (page - 1) * DELETION_PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });

export const deletionRequestQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [...DELETION_REQUESTS_KEY, 'one', id],
    queryFn: ({ signal }) => api.call<DeletionRequest>(`${PATH}/${encodeURIComponent(id)}`, { signal }),
  });

export const pendingDeletionsQuery = (api: Api, orgId: string | null) =>
  queryOptions({
    queryKey: [...DELETION_REQUESTS_KEY, 'pending', orgId],
    queryFn: async ({ signal }) =>
      (await api.call<PendingCount>(`${PATH}/pending-count`, { query: { orgId }, signal })).count,
    refetchInterval: REFRESH_MS,
  });

/** Throws `ApiError` `conflict` if the request is no longer pending. */
export function sendVerdict(
  api: Api,
  id: string,
  decision: { readonly action: Verdict; readonly adminNote: string | null },
): Promise<DeletionRequest> {
  return api.call(`${PATH}/${encodeURIComponent(id)}/process`, { method: 'POST', body: decision });
}

/** The filters of the audit log (Contract: §8). `from` and `to` are days in UTC and inclusive. */
export interface AuditQuery {
  readonly action?: string;
  readonly actor?: string;
  readonly actorId?: string;
  readonly result?: string;
  readonly resourceId?: string;
  readonly orgId?: string | undefined;
  readonly from?: string;
  readonly to?: string;
}

export const auditLogQuery = (api: Api, query: AuditQuery) =>
  pagesQuery<AuditEntry>(api, '/admin/audit-log', { ...query });
