import type { EpochMs } from '#domain/time.ts';
import type { MakeChangeEntry } from './audit-log.ts';

/**
 * The audit log by UTC months. Only whole months can be dropped, because the log is append-only. Used outside
 * transactions.
 */
export interface AuditArchive {
  /** Prepares this month and the next two. Entries of other months can be recorded, too. */
  prepareMonths(now: EpochMs): Promise<void>;
  /**
   * Drops every month that ended by the instant, and records the entry of `makeEntry` with the drop. Returns the
   * dropped months that had entries, as `2026-11`, oldest first. `makeEntry` is not called if there are none.
   */
  dropMonthsBefore(
    instant: EpochMs,
    makeEntry: MakeChangeEntry<[months: readonly string[]]>,
  ): Promise<readonly string[]>;
}
