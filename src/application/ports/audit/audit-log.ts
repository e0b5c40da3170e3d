import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/**
 * Records an entry: a change, an evaluation or a denied attempt (Contract: §8). Durable once the promise resolves; rejects
 * if it could not be stored. Simultaneous entries may share a write. Entries are never changed or removed.
 */
export type AuditLog = (entry: AuditEntry) => Promise<void>;

/**
 * Makes the entry of a change out of what became of it. Called within its transaction, last before the commit; an error
 * undoes the change. With null nothing is recorded. Called again if the transaction has to be repeated.
 */
export type MakeChangeEntry<Outcome extends readonly unknown[] = []> = (
  ...outcome: Outcome
) => AuditEntry | null | Promise<AuditEntry | null>;
