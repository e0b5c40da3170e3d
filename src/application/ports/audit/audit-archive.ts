import type { EpochMs } from '#domain/time.ts';
import type { MakeChangeEntry } from './audit-log.ts';

/** Drops old entries of the append-only audit log, by whole UTC months. Do not call it within a transaction. */
export interface AuditArchive {
  /** Prepares storage for entries of this month and the next two. Without it, entries can still be recorded. */
  prepareMonths(now: EpochMs): Promise<void>;
  /**
   * Drops every month that had ended by `instant`, and records the entry of `makeEntry` in the same transaction.
   * Returns the dropped months that had entries, such as `2026-11`, oldest first. If none, `makeEntry` is not called.
   */
  dropMonthsBefore(
    instant: EpochMs,
    makeEntry: MakeChangeEntry<[months: readonly string[]]>,
  ): Promise<readonly string[]>;
}
