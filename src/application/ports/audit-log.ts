/** Puts an entry on record outside any change: previews, and attempts that were denied. */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/** Durable when the promise is fulfilled. Entries given at the same time may be written together. */
export type AuditLog = (entry: AuditEntry) => Promise<void>;
