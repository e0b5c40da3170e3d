import { DELETION_STATUSES, type DeletionStatus } from '#domain/deletion/deletion-request.ts';

export interface DeletionRequestsSearch {
  /** Absent: pending. */
  readonly status?: Exclude<DeletionStatus, 'pending'> | 'any';
  /** From 2; absent: the first. */
  readonly page?: number;
}

export interface AuditLogSearch {
  readonly action?: string;
  readonly actorId?: string;
  readonly resourceId?: string;
  /** Days in UTC, such as 2026-11-22. */
  readonly from?: string;
  readonly to?: string;
}

const AUDIT_PARAMETERS = ['action', 'actorId', 'resourceId', 'from', 'to'] as const;

/** Invalid values are left out. */
export function validateDeletionRequestsSearch(search: Record<string, unknown>): DeletionRequestsSearch {
  const status = ([...DELETION_STATUSES, 'any'] as const).find((one) => one === search.status);
  const page = Number(search.page);
  return {
    ...(status !== undefined && status !== 'pending' && { status }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  };
}

/** Invalid values stay, and the page reports them. */
export function validateAuditLogSearch(search: Record<string, unknown>): AuditLogSearch {
  return Object.fromEntries(
    AUDIT_PARAMETERS.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}
