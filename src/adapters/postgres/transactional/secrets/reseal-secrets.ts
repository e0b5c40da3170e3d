/** Reseals secrets with the current key, one batch of locked rows at a time. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChange } from '#adapters/postgres/transactional/entities/audit-row.ts';
import { type Orm, retryConflicts } from '#adapters/postgres/transactional/orm.ts';
import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';
import type { ResealSecrets } from '#application/ports/auth/reseal-secrets.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { forgetUnusedKeys, SEALED_COLUMNS } from './sealing-keys.ts';
import type { SecretsAtRest } from './secrets-at-rest.ts';

/** Small, so others wait only briefly for the locks. */
const BATCH_SIZE = 100;

type SealedColumn = (typeof SEALED_COLUMNS)[number];

interface Batch {
  readonly resealed: number;
  readonly unreadable: number;
  readonly last: string | null;
}

export function makeResealSecrets(orm: Orm, secrets: SecretsAtRest): ResealSecrets {
  return async ({ makeEntry, discardsUnreadable = false, onProgress }) => {
    let resealed = 0;
    let unreadable = 0;
    for (const column of SEALED_COLUMNS) {
      let after: string | null = null;
      do {
        const hasChanged = resealed > 0 || (discardsUnreadable && unreadable > 0);
        const options = { after, discardsUnreadable, makeEntry: hasChanged ? null : makeEntry };
        const batch: Batch = await inTransaction(orm, (em) => resealBatch(em, secrets, column, options));
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

interface BatchOptions {
  readonly after: string | null;
  readonly discardsUnreadable: boolean;
  readonly makeEntry: MakeChangeEntry | null;
}

async function resealBatch(
  em: EntityManager,
  secrets: SecretsAtRest,
  { table, key, column }: SealedColumn,
  { after, discardsUnreadable, makeEntry }: BatchOptions,
): Promise<Batch> {
  // Raw SQL, so one statement serves all tables and leaves alone columns that sign-ins may change.
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
    if (opened === null) {
      if (discardsUnreadable) await discard(em, { table, column }, row);
      continue;
    }
    await em.execute(`update ${table} set ${column} = ? where ${key} = ?`, [
      secrets.seal(opened.secret, place),
      row,
    ]);
    resealed++;
  }
  const hasChanged = resealed > 0 || (discardsUnreadable && rows.length > 0);
  if (hasChanged) await recordChange(em, makeEntry?.());
  const last = rows.length < BATCH_SIZE ? null : (rows.at(-1)?.row ?? null);
  return { resealed, unreadable: rows.length - resealed, last };
}

/** Recovery codes are deleted with their second factor. */
async function discard(
  em: EntityManager,
  { table, column }: Pick<SealedColumn, 'table' | 'column'>,
  row: string,
): Promise<void> {
  switch (table) {
    case 'signing_key':
      await em.execute('delete from signing_key where kid = ?', [row]);
      break;
    case 'mfa_enrollment':
      await em.execute('delete from mfa_enrollment where user_id = ?', [row]);
      break;
    case 'mail_outbox':
      // Without its link, the mail is useless.
      await em.execute(
        `update mail_outbox set status = 'withdrawn', email = null, name = null, facts = null, secret = null,
           problem = null, claim = null, next_attempt_at = null, settled_at = coalesce(settled_at, now()) where id = ?`,
        [row],
      );
      break;
    case 'identity_provider':
      // Sign-in through this provider fails until an administrator sets its secret again.
      await em.execute('update identity_provider set client_secret = null where id = ?', [row]);
      break;
    case 'subscription':
      // Deliveries are signed again once the secret is renewed. A former secret only adds a second signature.
      await em.execute(`update subscription set ${column} = null where id = ?`, [row]);
      break;
    case 'app_user':
      await em.execute('delete from recovery_code where user_id = ?', [row]);
      await em.execute(
        'update app_user set totp_secret = null, last_totp_step = null, mfa_epoch = mfa_epoch + 1 where id = ?',
        [row],
      );
  }
}

function inTransaction<T>(orm: Orm, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return retryConflicts(() => orm.withScope(SYSTEM_SCOPE, work));
}
