import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/**
 * Records an entry outside any transaction: previews and denied attempts (Contract: §8). Durable once the promise
 * resolves; rejects if it could not be stored. Simultaneous entries may share a write. Entries are never changed or
 * removed.
 */
export type AuditLog = (entry: AuditEntry) => Promise<void>;
