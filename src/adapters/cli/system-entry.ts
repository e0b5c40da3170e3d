/** Contract: §8. */
import { makeSystemEntryFactory } from '#application/audit/make-entry.ts';
import type { AuditAction, AuditEntry } from '#domain/audit/audit-entry.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import type { CliRuntime } from './cli-runtime.ts';

export interface CommandFacts {
  readonly action: AuditAction;
  /** Without arguments, such as `key create`. */
  readonly command: string;
  readonly resourceId?: string | null;
  readonly orgId?: OrgId | null;
  readonly partnerId?: PartnerId | null;
  readonly details?: AuditEntry['details'];
}

export function systemEntry(
  { clock, newId }: Pick<CliRuntime, 'clock' | 'newId'>,
  { action, command, resourceId = null, orgId = null, partnerId = null, details = {} }: CommandFacts,
): AuditEntry {
  const makeEntry = makeSystemEntryFactory({ clock, newId });
  return makeEntry({ action, resourceId, orgId, partnerId, details: { command, ...details } });
}
