import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/**
 * Records an entry: a change, an evaluation or a denied attempt (Contract: §8). The entry is durable once the promise
 * resolves; it rejects if storing failed. Simultaneous entries may share a write. Entries are never changed or
 * removed.
 */
export type AuditLog = (entry: AuditEntry) => Promise<void>;

/**
 * Makes the entry of a change from its outcome, as the last step before the commit; an error undoes the change. Null
 * records nothing. Called again if the transaction is repeated.
 */
export type MakeChangeEntry<Outcome extends readonly unknown[] = []> = (
  ...outcome: Outcome
) => AuditEntry | null | Promise<AuditEntry | null>;
