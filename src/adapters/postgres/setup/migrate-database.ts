/** Runs the migrations that the database lacks, as its owner. */
import { type Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { connectionConfig } from './connections/connection-config.ts';
import { lockTables, type Patience, whenUnused } from './exclusive-tables.ts';
import { MIGRATIONS } from './migrations/migration-list.ts';
import { ServiceSecret } from './security/service-secret.ts';
import { UnusableDatabaseError } from './unusable-database-error.ts';

type MigrationClass = new (...given: ConstructorParameters<typeof Migration>) => Migration;

export interface MigrateOptions extends Patience {
  /** The owner's connection string. */
  readonly url: string;
  /** Whether to run migrations; if not, the database must have them all. */
  readonly migrate: boolean;
  /** Whether a pooler in transaction mode is in between. */
  readonly isPooled?: boolean;
  /** Those that the version has; by default this one's. */
  readonly migrations?: readonly MigrationClass[];
}

/**
 * All pending migrations in one transaction, which waits until nobody uses the tables. Throws `UnusableDatabaseError`,
 * having changed nothing, if some are pending and may not run, or if the database has one that this version does not
 * know.
 */
export async function migrateDatabase(
  owner: Client,
  { url, migrate, isPooled = false, migrations = MIGRATIONS, ...patience }: MigrateOptions,
): Promise<void> {
  const connection = connectionConfig(url, { applicationName: 'fleetsift migrate', isPooled });
  const orm = await MikroORM.init({
    driverOptions: connection,
    // Where to connect is in the options above. This name is put between quotes as it is, to see whether it exists.
    dbName: (connection.database ?? 'fleetsift').replaceAll("'", "''"),
    // The caller is connected to it already.
    ensureDatabase: false,
    entities: [ServiceSecret],
    extensions: [Migrator],
    migrations: { migrationsList: [...migrations], snapshot: false, transactional: true, allOrNothing: true },
    pool: { min: 0, max: 2 },
    debug: false,
    // `onProgress` reports in our own words.
    logger: () => undefined,
  });
  try {
    const known = new Set(migrations.map(({ name }) => name));
    const foreign = (await orm.migrator.getExecuted()).filter(({ name }) => !known.has(name));
    if (foreign.length > 0) {
      throw new UnusableDatabaseError(
        `The database was migrated by a newer version of Fleetsift (${foreign.map(({ name }) => name).join(', ')}). Run that version, or restore a backup from before`,
      );
    }
    const pending = await orm.migrator.getPending();
    if (pending.length === 0) return;
    if (!migrate) {
      throw new UnusableDatabaseError(
        `The database lacks ${pending.length} migration(s) and MIGRATE is off. Run: npm run fleetsift -- migrate`,
      );
    }
    patience.onProgress?.(`migrating the database (${listOf(pending)})`);
    const database = orm.em.getConnection();
    await whenUnused(owner, patience, () =>
      database.transactional(async (transaction) => {
        await lockTables((statement) => database.execute(statement, [], 'all', transaction));
        await orm.migrator.up({ transaction });
      }),
    );
  } finally {
    await orm.close();
  }
}

const MAX_LISTED = 3;

/** Their names; of a new database, to which all apply, the first. */
function listOf(migrations: readonly { readonly name: string }[]): string {
  const names = migrations.map(({ name }) => name);
  if (names.length <= MAX_LISTED) return names.join(', ');
  const listed = names.slice(0, MAX_LISTED - 1);
  return `${listed.join(', ')} and ${names.length - listed.length} more`;
}
