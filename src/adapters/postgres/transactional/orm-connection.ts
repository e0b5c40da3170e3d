/**
 * A newer kysely than MikroORM asks for. Before 0.29.9, a transaction whose connection dies keeps its place in the
 * pool for ever, and a commit that PostgreSQL turned into a rollback looks like one. A package cannot correct the
 * version, because npm applies overrides of a project only.
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

/** MikroORM's kysely gives a connection back only after a rollback that succeeded. */
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

  /** A failed rollback has marked the connection, which the pool then closes. */
  override async rollbackTransaction(connection: Connection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

/** kysely does not export the type. */
type Connection = DatabaseConnection & Parameters<PostgresDriver['rollbackTransaction']>[0];
