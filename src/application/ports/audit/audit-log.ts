import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/**
 * Records a change, an evaluation or a denied attempt (Contract: §8). The entry is durable once the promise resolves;
 * rejects if it cannot be stored. Simultaneous entries may share a write. Only the `AuditArchive` removes entries.
 */
export type AuditLog = (entry: AuditEntry) => Promise<void>;

/**
 * Makes a change's entry from its outcome, just before the commit. Null records nothing; an error rolls the
 * change back. It is called again if the transaction is retried.
 */
export type MakeChangeEntry<Outcome extends readonly unknown[] = []> = (
  ...outcome: Outcome
) => AuditEntry | null | Promise<AuditEntry | null>;
