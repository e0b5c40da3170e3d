/** Moves the secrets of this database to the current key, a batch of locked rows at a time. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { classifyFailure } from '#adapters/postgres/database-error.ts';
import { AuditRow, toAuditRow } from '#adapters/postgres/transactional/entities/audit-row.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import type { ResealSecrets } from '#application/ports/auth/reseal-secrets.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { SEALED_COLUMNS } from './sealed-places.ts';
import { forgetUnusedKeys } from './sealing-keys.ts';
import type { SecretsAtRest } from './secrets-at-rest.ts';

/** Few enough that nobody waits long for the locks on their rows. */
const BATCH_SIZE = 100;

/** How often a batch that conflicts with another transaction is attempted. */
const MAX_ATTEMPTS = 5;

type SealedColumn = (typeof SEALED_COLUMNS)[number];

interface Batch {
  readonly resealed: number;
  readonly unreadable: number;
  /** The primary key of its last row; null if it is the last batch. */
  readonly last: string | null;
}

export function makeResealSecrets(orm: Orm, secrets: SecretsAtRest): ResealSecrets {
  return async ({ entry, onProgress }) => {
    let resealed = 0;
    let unreadable = 0;
    for (const column of SEALED_COLUMNS) {
      let after: string | null = null;
      do {
        const entryIfFirst = resealed === 0 ? entry : null;
        const batch: Batch = await inTransaction(orm, (em) =>
          resealBatch(em, secrets, column, after, entryIfFirst),
        );
        resealed += batch.resealed;
        unreadable += batch.unreadable;
        after = batch.last;
        onProgress(resealed);
      } while (after !== null);
    }
    await inTransaction(orm, (em) => forgetUnusedKeys(em, secrets));
    return { resealed, unreadable };
  };
}

async function resealBatch(
  em: EntityManager,
  secrets: SecretsAtRest,
  { table, key, column }: SealedColumn,
  after: string | null,
  entry: AuditEntry | null,
): Promise<Batch> {
  // Raw: the same for three tables, and without the other columns of users, who may be signing in meanwhile.
  const rows = await em.execute<{ row: string; sealed: string }[]>(
    `select ${key}::text as row, ${column} as sealed from ${table}
     where ${column} is not null and not starts_with(${column}, ?) ${after === null ? '' : `and ${key} > ?`}
     order by ${key} limit ${BATCH_SIZE} for no key update`,
    after === null ? [secrets.current.prefix] : [secrets.current.prefix, after],
  );
  let resealed = 0;
  for (const { row, sealed } of rows) {
    const place = { table, row, column };
    const opened = secrets.tryOpen(sealed, place);
    if (opened === null) continue;
    await em.execute(`update ${table} set ${column} = ? where ${key} = ?`, [
      secrets.seal(opened.secret, place),
      row,
    ]);
    resealed++;
  }
  if (resealed > 0 && entry !== null) await em.insert(AuditRow, toAuditRow(entry));
  const last = rows.length < BATCH_SIZE ? null : (rows.at(-1)?.row ?? null);
  return { resealed, unreadable: rows.length - resealed, last };
}

async function inTransaction<T>(orm: Orm, work: (em: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await orm.withScope(SYSTEM_SCOPE, work);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || classifyFailure(error) !== 'conflict') throw error;
    }
  }
}
