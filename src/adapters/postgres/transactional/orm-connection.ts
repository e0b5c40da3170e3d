/**
 * MikroORM with a newer kysely than it asks for. Before kysely 0.29.9, a transaction whose connection dies
 * keeps its place in the pool forever, and a commit that PostgreSQL turned into a rollback looks successful.
 * A package cannot correct the version: npm applies only the root project's overrides.
 */
import { type Configuration, PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { type DatabaseConnection, PostgresDriver, type TransactionSettings } from 'kysely';
import type { PoolConfig } from 'pg';

export class OrmDriver extends PostgreSqlDriver {
  protected override readonly connection: PostgreSqlConnection;

  constructor(config: Configuration) {
    super(config);
    this.connection = new OrmConnection(config);
  }
}

class OrmConnection extends PostgreSqlConnection {
  override createKyselyDialect(options: PoolConfig) {
    const dialect = super.createKyselyDialect(options);
    dialect.createDriver = () => new TransactionDriver({ pool: () => this.getNativeClient() });
    return dialect;
  }
}

/** MikroORM's own version of kysely returns a connection to the pool only if the rollback succeeds. */
export class TransactionDriver extends PostgresDriver {
  override async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    try {
      await super.beginTransaction(connection, settings);
    } catch (error) {
      await this.rollbackTransaction(connection);
      await this.releaseConnection(connection);
      throw error;
    }
  }

  /** A failed rollback marks the connection as broken, so the pool closes it. */
  override async rollbackTransaction(connection: Connection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

/** kysely does not export this type. */
type Connection = DatabaseConnection & Parameters<PostgresDriver['rollbackTransaction']>[0];
