/** The audit log by months (UTC), for those who keep it: what is only appended to can only be dropped as a whole. */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { EpochMs } from '#domain/time.ts';

/** Keeps the audit log by months; used outside of transactions. */
export interface AuditArchive {
  /** Makes room for the entries of this month and of the next two. Entries of other months are recorded all the same. */
  prepareMonths(now: EpochMs): Promise<void>;
  /**
   * Removes every month that ended at or before the instant, and records what `makeEntry` returns together with that.
   * The months that had entries, as `2026-11`, oldest first; `makeEntry` is not called if there are none.
   */
  dropMonthsBefore(
    instant: EpochMs,
    makeEntry: (months: readonly string[]) => AuditEntry,
  ): Promise<readonly string[]>;
}
