/** Changes and their audit entries as one PostgreSQL transaction. */
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { classifyFailure } from './database-error.ts';
import type { Orm } from './orm.ts';
import { AuditRow, toAuditRow } from './rows/audit-row.ts';
import { savedFilterWriter } from './saved-filter-store.ts';

/** How often a transaction is begun that others get in the way of. */
const MAX_ATTEMPTS = 4;

export function makeUnitOfWork(orm: Orm): UnitOfWork {
  return async (scope, work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await orm.within(scope).transactional((em) =>
          work({
            filters: savedFilterWriter(em, scope),
            audit: async (entry) => void (await em.insert(AuditRow, toAuditRow(entry))),
          }),
        );
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || classifyFailure(error) !== 'conflict') throw error;
      }
    }
  };
}
