/** What the contract suites run against: the ports over one store, whatever it is made of. */
import type { Backend } from '#application/backend.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/**
 * Made once per test file, without tenants, and shared by all its suites. Every test makes its own tenants with
 * fresh ids and looks at nothing else.
 */
export interface ContractBackend extends Backend {
  /** Every audit entry, oldest first. */
  readonly auditEntries: () => Promise<readonly AuditEntry[]>;
}
