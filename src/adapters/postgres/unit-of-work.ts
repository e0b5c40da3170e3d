/** Changes and their audit entries as one PostgreSQL transaction. */
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { classifyFailure } from './database-error.ts';
import { queueMail, withdrawMail } from './mail-outbox.ts';
import type { Orm } from './orm.ts';
import { AuditRow, toAuditRow } from './rows/audit-row.ts';
import { savedFilterWriter } from './saved-filter-store.ts';

/** How often a transaction is begun that others get in the way of. */
const MAX_ATTEMPTS = 4;

export interface UnitOfWorkDeps {
  readonly orm: Orm;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeUnitOfWork({ orm, clock, newId }: UnitOfWorkDeps): UnitOfWork {
  return async (scope, work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await orm.within(scope).transactional((em) =>
          work({
            filters: savedFilterWriter(em, scope),
            audit: async (entry) => void (await em.insert(AuditRow, toAuditRow(entry))),
            mail: (mail) => queueMail(em, newId<'mail'>(), mail, clock()),
            withdrawMail: async (userId) => {
              if (scope.kind !== 'system') throw new Error('mail is withdrawn within the system scope only');
              await withdrawMail(em, userId, clock());
            },
          }),
        );
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || classifyFailure(error) !== 'conflict') throw error;
      }
    }
  };
}
