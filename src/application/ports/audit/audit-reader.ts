/** Reads the audit log (Contract: §8). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AuditAction, AuditEntry } from '#domain/audit/audit-entry.ts';
import type { AuditEntryId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** A place in the log, right after an entry in reading order. */
export interface AuditPosition {
  readonly at: EpochMs;
  readonly id: AuditEntryId;
}

/** What an entry must fulfil; null leaves a member open. */
export interface AuditQuery {
  readonly action: AuditAction | null;
  readonly actorId: string | null;
  readonly resourceId: string | null;
  /** Not earlier. */
  readonly from: EpochMs | null;
  /** Not later. */
  readonly to: EpochMs | null;
  /** The page starts here; null starts with the newest entry. */
  readonly after: AuditPosition | null;
  /** At most this many entries; 1 or more. */
  readonly limit: number;
}

/**
 * The entries within the scope's reach (`isWithinReach`) that fulfil the query, newest first, ties by id, descending.
 * None is an empty list. Entries recorded while pages are read never make a page repeat or skip an older entry.
 */
export type AuditReader = (scope: AccessScope, query: AuditQuery) => Promise<readonly AuditEntry[]>;
