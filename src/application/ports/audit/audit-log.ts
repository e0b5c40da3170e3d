/** Records entries outside any transaction: previews, and attempts that were denied (Contract: §8). */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/**
 * Appends the entry, whoever's it is: durable when the promise is fulfilled, rejected if it could not be stored.
 * Entries recorded at the same time may be written together. Nothing changes or removes an entry.
 */
export type AuditLog = (entry: AuditEntry) => Promise<void>;
