import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/**
 * Records a change, an evaluation or a denied attempt (Contract: §8). Durable once the promise resolves; rejects if the
 * entry cannot be stored. Simultaneous entries may share a write. Entries are never changed, and removed only by the
 * `AuditArchive`.
 */
export type AuditLog = (entry: AuditEntry) => Promise<void>;

/**
 * Makes a change's entry from its outcome, last before the commit; an error rolls the change back. Null records
 * nothing. Called again if the transaction is retried.
 */
export type MakeChangeEntry<Outcome extends readonly unknown[] = []> = (
  ...outcome: Outcome
) => AuditEntry | null | Promise<AuditEntry | null>;
