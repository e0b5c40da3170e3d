import type { AuditEntry } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import { pagesQuery } from '#console/api/pages.ts';

/** Contract: §8. Dates are days in UTC, both included. */
export interface AuditQuery {
  readonly action?: string;
  readonly actorId?: string;
  readonly resourceId?: string;
  readonly orgId?: string | undefined;
  readonly from?: string;
  readonly to?: string;
}

export const auditLogQuery = (api: Api, query: AuditQuery) =>
  pagesQuery<AuditEntry>(api, '/admin/audit-log', { ...query });
