/** Requests for the deletion of accounts, as administrators see them (Contract: §7). */

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DeletionPage, DeletionRequest, PendingCount } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import type { DeletionStatus } from '#domain/deletion/deletion-request.ts';

export type Verdict = 'approve' | 'reject';

const PATH = '/admin/account-deletion-requests';

/** What every one of these queries begins with. */
export const DELETION_REQUESTS_KEY = ['deletion-requests'] as const;

/** Requests on a page of the list. */
export const DELETION_PAGE_SIZE = 50;

/** How often to check for new ones, in milliseconds. */
const REFRESH_MS = 60_000;

export interface DeletionsWanted {
  /** Null: any. */
  readonly status: DeletionStatus | null;
  /** Null: of all in reach. */
  readonly orgId: string | null;
  /** From 1. */
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

/** How many wait for a decision, in one organization, or in all in reach for null. */
export const pendingDeletionsQuery = (api: Api, orgId: string | null) =>
  queryOptions({
    queryKey: [...DELETION_REQUESTS_KEY, 'pending', orgId],
    queryFn: async ({ signal }) =>
      (await api.call<PendingCount>(`${PATH}/pending-count`, { query: { orgId }, signal })).count,
    refetchInterval: REFRESH_MS,
  });

/** Throws `ApiError`: `conflict` where it has been decided or cancelled in the meantime. */
export function sendVerdict(
  api: Api,
  id: string,
  decision: { readonly action: Verdict; readonly adminNote: string | null },
): Promise<DeletionRequest> {
  return api.call(`${PATH}/${encodeURIComponent(id)}/process`, { method: 'POST', body: decision });
}
