/** The audit log (Contract: §8). */
import type { Api } from '#console/api/http.ts';
import { pagesQuery } from '#console/api/pages.ts';

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly type: 'user' | 'api_key' | 'system'; readonly id: string | null };
  readonly orgId: string | null;
  readonly action: string;
  readonly result: 'success' | 'denied';
  readonly resourceType: string;
  readonly resourceId: string | null;
  readonly details: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
  readonly requestId: string;
  readonly ip: string | null;
}

/** Absent: any. Dates are days in UTC, both included. */
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
