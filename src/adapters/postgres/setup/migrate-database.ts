/** Creates the schema in an empty database, or runs the missing migrations, in one transaction. */
import type { Client } from 'pg';
import { SCHEMA } from '#adapters/postgres/schema/schema.ts';
import { type Patience, withTablesLocked } from './exclusive-tables.ts';
import { UnusableDatabaseError } from './explain-failure.ts';
import { MIGRATIONS, type Migration } from './migrations/migration-list.ts';

export interface MigrateOptions extends Patience {
  /** If false, the database must already have all migrations. */
  readonly migrate: boolean;
  readonly migrations?: readonly Migration[];
}

/** Recorded in every database with the schema of version 0.1.0 or later. */
export const BASELINE = 'Baseline 0.1.0';

/** The names and the number of the migrations that made the schema of version 0.1.0. */
const CHAIN = { name: /^Migration202611(20|21|22|23)[A-Z]/, length: 42 };

/**
 * Throws `UnusableDatabaseError`, having changed nothing, if migrations are pending but may not run, or the database's
 * version cannot be migrated.
 */
export async function migrateDatabase(
  owner: Client,
  { migrate, migrations = MIGRATIONS, ...patience }: MigrateOptions,
): Promise<void> {
  const executed = await readExecuted(owner);
  const all = [BASELINE, ...migrations.map(({ name }) => name)];
  refuseForeign(executed, new Set(all));
  const pending = all.filter((name) => !executed.includes(name));
  if (pending.length === 0) return;
  if (!migrate) {
    throw new UnusableDatabaseError(
      `The database lacks ${pending.length} migration(s) and MIGRATE is off. Run: npm run fleetsift -- migrate`,
    );
  }
  const isNew = executed.length === 0;
  patience.onProgress?.(isNew ? 'creating the tables' : `migrating the database (${listOf(pending)})`);
  await withTablesLocked(owner, patience, async () => {
    if (isNew) await owner.query(SCHEMA);
    else {
      for (const { name, sql } of migrations) if (pending.includes(name)) await owner.query(sql);
    }
    await owner.query('insert into mikro_orm_migrations (name) select unnest($1::text[])', [pending]);
  });
}

async function readExecuted(owner: Client): Promise<readonly string[]> {
  const { rows: tables } = await owner.query(`select where to_regclass('mikro_orm_migrations') is not null`);
  if (tables.length === 0) return [];
  const { rows } = await owner.query<{ name: string }>('select name from mikro_orm_migrations order by id');
  return rows.map(({ name }) => name);
}

function refuseForeign(executed: readonly string[], known: ReadonlySet<string>): void {
  const foreign = executed.filter((name) => !known.has(name) && !CHAIN.name.test(name));
  if (foreign.length > 0) {
    throw new UnusableDatabaseError(
      `The database was migrated by a newer version of Fleetsift (${foreign.join(', ')}). Run that version, or restore a backup from before`,
    );
  }
  if (executed.length === 0 || executed.includes(BASELINE)) return;
  const done = executed.filter((name) => CHAIN.name.test(name)).length;
  if (done < CHAIN.length) {
    throw new UnusableDatabaseError(
      `The database was made by a version older than 0.1.0: it has ${done} of the ${CHAIN.length} migrations of that version, which this one no longer includes. Start version 0.1.0 once, let it migrate the database, and then start this version`,
    );
  }
}

const MAX_LISTED = 3;

function listOf(names: readonly string[]): string {
  if (names.length <= MAX_LISTED) return names.join(', ');
  return `${names.slice(0, MAX_LISTED - 1).join(', ')} and ${names.length - MAX_LISTED + 1} more`;
}
