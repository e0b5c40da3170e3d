/** Reads the audit log (Contract: §8). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { AuditAction, AuditEntry } from '#domain/audit/audit-entry.ts';
import type { AuditEntryId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** A place in the log, just behind an entry. */
export interface AuditPosition {
  readonly at: EpochMs;
  readonly id: AuditEntryId;
}

/** Every fact that is given has to hold. */
export interface AuditQuery {
  readonly action: AuditAction | null;
  readonly actorId: string | null;
  readonly resourceId: string | null;
  /** The first instant. */
  readonly from: EpochMs | null;
  /** The last instant. */
  readonly to: EpochMs | null;
  /** Goes on from here; null begins with the newest. */
  readonly after: AuditPosition | null;
  readonly limit: number;
}

/** Entries within the scope's reach (`isWithinReach`), newest first, ties by id, descending. */
export type AuditReader = (scope: AccessScope, query: AuditQuery) => Promise<readonly AuditEntry[]>;
