/**
 * A connection is not reused until its canceled statement has ended, because a late cancel request would hit the next
 * statement.
 */
import { Pool, type PoolClient } from 'pg';
import { isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import type { DatabaseConnection } from '#adapters/postgres/setup/connections/connection-config.ts';
import { serverProcessOf } from '#adapters/postgres/setup/connections/pooled-client.ts';

/** A connection that takes longer to become idle is closed. */
const RECOVERY_MS = 10_000;

export class AbandonedStatements {
  // A separate pool, because a cancel request must not wait behind the statement.
  readonly #control: Pool;
  readonly #recoveries = new WeakMap<PoolClient, Promise<boolean>>();

  constructor(connection: DatabaseConnection) {
    this.#control = new Pool({
      ...connection,
      max: 1,
      idleTimeoutMillis: 60_000,
      query_timeout: RECOVERY_MS,
    });
    this.#control.on('error', () => undefined);
  }

  abandon(client: PoolClient, running: Promise<unknown>): void {
    this.#recoveries.set(client, this.#cancel(client, running));
  }

  /** Runs `step` once the connection is idle. If `step` fails, the connection is not reused. */
  afterwards(client: PoolClient, step: () => Promise<unknown>): void {
    const recovery = this.#recoveries.get(client);
    if (recovery === undefined) throw new Error('no statement was abandoned on the connection');
    const next = async () => {
      if (!(await recovery)) return false;
      return step().then(
        () => true,
        () => false,
      );
    };
    this.#recoveries.set(client, next());
  }

  /**
   * Whether the connection can be reused; undefined if nothing was abandoned on it. A result can be taken only once.
   */
  take(client: PoolClient): Promise<boolean> | undefined {
    const recovery = this.#recoveries.get(client);
    this.#recoveries.delete(client);
    return recovery;
  }

  has(client: PoolClient): boolean {
    return this.#recoveries.has(client);
  }

  async close(): Promise<void> {
    await this.#control.end();
  }

  async #cancel(client: PoolClient, running: Promise<unknown>): Promise<boolean> {
    // A terminated session reports its error before its connection closes. That connection must not be reused.
    const ended = running.then(
      () => true,
      (error) => !isDatabaseUnavailable(error),
    );
    const pid = serverProcessOf(client);
    // Without a current process id, nothing is canceled. An earlier id may belong to another session by now.
    const sent =
      pid === null ||
      this.#control.query('select pg_cancel_backend($1)', [pid]).then(
        () => true,
        () => false,
      );
    const { promise: tooLate, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), RECOVERY_MS);
    const isIdle = await Promise.race([
      Promise.all([ended, sent]).then((both) => both.every(Boolean)),
      tooLate,
    ]);
    clearTimeout(timer);
    return isIdle;
  }
}
