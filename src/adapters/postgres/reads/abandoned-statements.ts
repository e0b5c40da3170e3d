/**
 * Statements that nobody waits for any more. Each is cancelled in the database, and its connection is kept from
 * everybody until it has come to rest: a cancel that is under way would hit whatever runs there next.
 */
import { Pool, type PoolClient, type PoolConfig } from 'pg';

/** A connection that does not come to rest in this time is given up, in milliseconds. */
const RECOVERY_MS = 10_000;

export class AbandonedStatements {
  // Cancelling must not wait behind what it is to cancel, and so has a connection of its own.
  readonly #control: Pool;
  readonly #recoveries = new WeakMap<PoolClient, Promise<boolean>>();

  constructor(connection: PoolConfig) {
    this.#control = new Pool({ ...connection, max: 1, idleTimeoutMillis: 60_000 });
    // An idle connection that breaks is replaced when it is next needed.
    this.#control.on('error', () => undefined);
  }

  /** Gives the statement up that is running on the connection. */
  abandon(client: PoolClient, running: Promise<unknown>): void {
    this.#recoveries.set(client, this.#cancel(client, running));
  }

  /** Does something more on the connection as soon as it is at rest; where that fails, it is not whole. */
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
   * Whether the connection can be used again, once it is known; undefined where no statement was abandoned on it.
   * Asked once, it is forgotten.
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

  /** Waits for both, the end of the statement and the word that the cancel was sent. */
  async #cancel(client: PoolClient, running: Promise<unknown>): Promise<boolean> {
    const ended = running.then(
      () => true,
      () => true,
    );
    const pid = (client as PoolClient & { readonly processID: number | null }).processID;
    const sent = this.#control.query('select pg_cancel_backend($1)', [pid]).then(
      () => true,
      () => false,
    );
    const { promise: tooLate, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), RECOVERY_MS);
    const isWhole = await Promise.race([
      Promise.all([ended, sent]).then((both) => both.every(Boolean)),
      tooLate,
    ]);
    clearTimeout(timer);
    return isWhole;
  }
}
