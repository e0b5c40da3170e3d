/**
 * Statements that nobody waits for any more. Each is cancelled in the database, and nobody gets its connection until
 * it is idle: a cancel request still in flight would hit whatever runs there next.
 */
import { Pool, type PoolClient } from 'pg';
import { isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import type { DatabaseConnection } from '#adapters/postgres/setup/connections/connection-config.ts';
import { serverProcessOf } from '#adapters/postgres/setup/connections/pooled-client.ts';

/** How long a connection may take to become idle before it is closed, in milliseconds. */
const RECOVERY_MS = 10_000;

export class AbandonedStatements {
  // Cancelling must not wait behind the statement it cancels, so it has a connection of its own.
  readonly #control: Pool;
  readonly #recoveries = new WeakMap<PoolClient, Promise<boolean>>();

  constructor(connection: DatabaseConnection) {
    this.#control = new Pool({
      ...connection,
      max: 1,
      idleTimeoutMillis: 60_000,
      query_timeout: RECOVERY_MS,
    });
    // An idle connection that breaks is replaced when it is next needed.
    this.#control.on('error', () => undefined);
  }

  /** Cancels the statement that is running on the connection. */
  abandon(client: PoolClient, running: Promise<unknown>): void {
    this.#recoveries.set(client, this.#cancel(client, running));
  }

  /** Runs a further step as soon as the connection is idle; if the step fails, the connection is not reusable. */
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
   * Whether the connection can be reused, once that is known; undefined if no statement was abandoned on it. Can be
   * taken once.
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

  /** Waits both for the statement to end and for confirmation that the cancel request was sent. */
  async #cancel(client: PoolClient, running: Promise<unknown>): Promise<boolean> {
    // A session that was ended from the side says so before its connection closes.
    const ended = running.then(
      () => true,
      (error) => !isDatabaseUnavailable(error),
    );
    const pid = serverProcessOf(client);
    // Without a process there is nothing to cancel yet, and what was its process may be somebody else's by now.
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
