import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { EpochMs } from '#domain/time.ts';

/**
 * The audit log by UTC months. The log is append-only, so only whole months can be dropped. Used outside
 * transactions.
 */
export interface AuditArchive {
  /** Prepares this month and the next two. Entries of other months are recorded as well. */
  prepareMonths(now: EpochMs): Promise<void>;
  /**
   * Drops every month that ended by the instant, and records `makeEntry`'s result with it. Returns the dropped months
   * that had entries, as `2026-11`, oldest first. Without any, `makeEntry` is not called.
   */
  dropMonthsBefore(
    instant: EpochMs,
    makeEntry: (months: readonly string[]) => AuditEntry,
  ): Promise<readonly string[]>;
}
