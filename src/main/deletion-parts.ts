/** Account deletion, the mails about it, and the audit log. */
import type { Factories } from './ingredients.ts';

export const DELETION_PARTS: Factories<'deletions' | 'completeDeletions' | 'readAuditLog' | 'sendMail'> = {
  deletions: async (from) => {
    const { makeDeletionUseCases } = await import('#application/deletion/deletion-use-cases.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'requireFreshMfa', 'checkPassword');
    return makeDeletionUseCases({ ...backend, ...deps });
  },
  completeDeletions: async (from) => {
    const { makeCompleteDeletions } = await import('#application/deletion/complete-deletions.ts');
    const { makeSystemEntryFactory } = await import('#application/audit/make-entry.ts');
    const { backend, ...deps } = await from('backend', 'clock', 'newId', 'log');
    const { unitOfWork } = backend;
    return makeCompleteDeletions({ ...deps, unitOfWork, makeSystemEntry: makeSystemEntryFactory(deps) });
  },
  readAuditLog: async (from) => {
    const { makeReadAuditLog } = await import('#application/audit/read-audit-log.ts');
    return makeReadAuditLog((await from('backend')).backend);
  },
  sendMail: () => null,
};
