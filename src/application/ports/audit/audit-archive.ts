import type { EpochMs } from '#domain/time.ts';
import type { MakeChangeEntry } from './audit-log.ts';

/**
 * Drops old entries of the audit log by whole UTC months, because the log is append-only. Not for use in transactions.
 */
export interface AuditArchive {
  /** Prepares this month and the next two. Entries of other months can be recorded, too. */
  prepareMonths(now: EpochMs): Promise<void>;
  /**
   * Drops every month that had ended by `instant`, and records the entry of `makeEntry` with it. Returns the dropped
   * months that had entries, such as `2026-11`, oldest first. Without any, `makeEntry` is not called.
   */
  dropMonthsBefore(
    instant: EpochMs,
    makeEntry: MakeChangeEntry<[months: readonly string[]]>,
  ): Promise<readonly string[]>;
}
