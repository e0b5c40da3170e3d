import type { EpochMs } from '#domain/time.ts';
import type { MakeChangeEntry } from './audit-log.ts';

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
    makeEntry: MakeChangeEntry<[months: readonly string[]]>,
  ): Promise<readonly string[]>;
}
