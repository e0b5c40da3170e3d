/** Runs the migrations that the database lacks, as its owner. */
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { connectionConfig } from './connection-config.ts';
import { MIGRATIONS } from './migrations/migration-list.ts';
import { ServiceSecret } from './service-secret.ts';
import { UnusableDatabaseError } from './unusable-database-error.ts';

export interface MigrateOptions {
  /** The owner's connection string. */
  readonly url: string;
  /** Whether to run migrations; if not, the database must have them all. */
  readonly migrate: boolean;
  /** Whether a pooler in transaction mode is in between. */
  readonly isPooled?: boolean;
  readonly onProgress?: (message: string) => void;
}

/**
 * All pending migrations in one transaction. Throws `UnusableDatabaseError` if some are pending and may not run, or if the
 * database has any that this version does not know, which then changes nothing.
 */
export async function migrateDatabase({
  url,
  migrate,
  isPooled = false,
  onProgress,
}: MigrateOptions): Promise<void> {
  const connection = connectionConfig(url, { applicationName: 'fleetsift migrate', isPooled });
  const orm = await MikroORM.init({
    driverOptions: connection,
    dbName: connection.database ?? 'fleetsift',
    // The caller is connected to it already.
    ensureDatabase: false,
    entities: [ServiceSecret],
    extensions: [Migrator],
    migrations: { migrationsList: [...MIGRATIONS], snapshot: false, transactional: true, allOrNothing: true },
    pool: { min: 0, max: 2 },
    debug: false,
    // `onProgress` reports in our own words.
    logger: () => undefined,
  });
  try {
    const known = new Set(MIGRATIONS.map(({ name }) => name));
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
    onProgress?.(`migrating the database (${pending.map(({ name }) => name).join(', ')})`);
    await orm.migrator.up();
  } finally {
    await orm.close();
  }
}
