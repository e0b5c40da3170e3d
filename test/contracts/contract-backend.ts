/** What the contract suites run against: the ports over one store, whatever it is made of. */
import type { Backend } from '#application/backend.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/**
 * Made once for a test file, empty of tenants, and shared by all suites in it. Every test makes tenants of its
 * own with fresh ids and looks at nothing else.
 */
export interface ContractBackend extends Backend {
  /** Every audit entry on record, oldest first. */
  readonly auditEntries: () => Promise<readonly AuditEntry[]>;
}
