import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AuditAction, AuditEntry } from '#domain/audit/audit-entry.ts';
import type { AuditEntryId, OrgId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** The place just after an entry in the list. */
export interface AuditPosition {
  readonly at: EpochMs;
  readonly id: AuditEntryId;
}

/** Null members do not restrict the list. */
export interface AuditQuery {
  readonly action: AuditAction | null;
  readonly actorIds: readonly string[] | null;
  readonly resourceId: string | null;
  readonly orgId: OrgId | null;
  readonly result: AuditEntry['result'] | null;
  /** Inclusive. */
  readonly from: EpochMs | null;
  /** Inclusive. */
  readonly to: EpochMs | null;
  /** Null starts with the newest entry. */
  readonly after: AuditPosition | null;
  /** 1 or more. */
  readonly limit: number;
}

/**
 * Entries in reach (`isWithinReach`), newest first, ties by descending id. New entries never make pages repeat or skip
 * older ones.
 */
export type AuditReader = (scope: AccessScope, query: AuditQuery) => Promise<readonly AuditEntry[]>;
