/**
 * A connection serves one read at a time, in fair turns. An abandoned statement is canceled, and its connection returns
 * to the pool only when idle.
 */
import { Pool, type PoolClient } from 'pg';
import { DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import { type Admit, ReplicaBehindError } from '#adapters/postgres/reads/replicas/freshness.ts';
import type { DatabaseConnection } from '#adapters/postgres/setup/connections/connection-config.ts';
import { FairShare, type Release } from '#application/admission/fair-share.ts';
import { Deadlines } from '#application/deadlines.ts';
import { AbandonedStatements } from './abandoned-statements.ts';
import { ReadRefused, toRefusal } from './read-refusal.ts';
import type { ReadOptions } from './scoped-reader.ts';

/** The timer here fires this much later than PostgreSQL's own limit. */
const SERVER_GRACE_MS = 20;

/**
 * HTTP requests already queue for admission before they get here, so this wait is mainly for direct callers of use
 * cases.
 */
const DEFAULT_MAX_WAIT_MS = 30_000;

export interface ReaderConnectionsConfig {
  readonly connection: DatabaseConnection;
  readonly poolSize: number;
  /** A read's time limit. The wait for its turn does not count. */
  readonly timeoutMs: number;
  /** How long a read may wait for its turn. Default: 30,000. */
  readonly maxWaitMs?: number;
  /** Checks that a replica is fresh. Set only for replicas. */
  readonly admit?: Admit;
}

export class ReaderConnections {
  readonly abandoned: AbandonedStatements;
  readonly #pool: Pool;
  readonly #turns: FairShare;
  readonly #deadlines = new Deadlines();
  readonly #timeoutMs: number;
  readonly #admit: Admit | undefined;
  readonly #isWornOut: (client: PoolClient) => boolean;

  constructor(
    { connection, poolSize, timeoutMs, maxWaitMs = DEFAULT_MAX_WAIT_MS, admit }: ReaderConnectionsConfig,
    isWornOut: (client: PoolClient) => boolean,
  ) {
    this.#pool = new Pool({ ...connection, max: poolSize, idleTimeoutMillis: 60_000 });
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.abandoned = new AbandonedStatements(connection);
    const share = Math.max(1, Math.floor(poolSize / 2));
    this.#turns = new FairShare({
      total: poolSize,
      perTenant: share,
      perCaller: share,
      maxWaitingPerCaller: Number.POSITIVE_INFINITY,
      maxWaitingPerTenant: Number.POSITIVE_INFINITY,
      maxWaitMs,
    });
    this.#timeoutMs = timeoutMs;
    this.#admit = admit;
    this.#isWornOut = isWornOut;
  }

  get use(): { readonly inUse: number; readonly waiting: number } {
    return { inUse: this.#turns.held, waiting: this.#turns.waiting };
  }

  /** `deadline` is a time of `performance.now()`. */
  async with<T>(
    { onBehalfOf, signal, startedAt = performance.now(), seen = null }: ReadOptions,
    work: (client: PoolClient, deadline: number) => Promise<T>,
  ): Promise<T> {
    const arrivedAt = performance.now();
    const leave = await this.#takeTurn(onBehalfOf, signal);
    const deadline = startedAt + (performance.now() - arrivedAt) + this.#timeoutMs;
    const client = await this.#connect(signal, leave);
    let isBroken = false;
    try {
      // The timer alone is not enough. A short statement that starts after the deadline could end before the
      // timer fires.
      if (performance.now() >= deadline) throw new ReadRefused({ kind: 'timeout' });
      if (this.#admit !== undefined) await this.bounded(client, this.#admit(client, seen), deadline, signal);
      return await work(client, deadline);
    } catch (error) {
      isBroken = !(error instanceof ReadRefused || error instanceof ReplicaBehindError);
      throw error;
    } finally {
      // The turn ends only when the connection is free, so the next read gets a connection at once.
      const recovery = this.abandoned.take(client);
      if (recovery === undefined) {
        client.release(isBroken || this.#isWornOut(client));
        leave();
      } else {
        void recovery.then((isIdle) => {
          client.release(!isIdle || isBroken);
          leave();
        });
      }
    }
  }

  /** At the deadline, or when the signal aborts, abandons the query and throws `ReadRefused`. */
  bounded<T>(client: PoolClient, query: Promise<T>, deadline: number, signal?: AbortSignal): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const giveUp = (kind: 'timeout' | 'cancelled') => {
      settle();
      this.abandoned.abandon(client, query);
      reject(new ReadRefused({ kind }));
    };
    const onAbort = () => giveUp('cancelled');
    const end = this.#deadlines.set(deadline + SERVER_GRACE_MS, () => giveUp('timeout'));
    const settle = () => {
      this.#deadlines.clear(end);
      signal?.removeEventListener('abort', onAbort);
    };
    query.then(
      (result) => {
        settle();
        resolve(result);
      },
      (error) => {
        settle();
        reject(toRefusal(error));
      },
    );
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    return promise;
  }

  async rollBack(client: PoolClient): Promise<void> {
    if (this.abandoned.has(client)) this.abandoned.afterwards(client, () => client.query('rollback'));
    // If the rollback fails, the connection and its transaction are gone.
    else await client.query('rollback').catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.abandoned.close()]);
  }

  async #takeTurn(onBehalfOf: string, signal: AbortSignal | undefined): Promise<Release> {
    const turn = await this.#turns.claim({ tenant: onBehalfOf, caller: onBehalfOf }, 1, signal);
    switch (turn.kind) {
      case 'granted':
        return turn.release;
      case 'refused':
        throw new DatabaseBusyError();
      case 'cancelled':
        throw new ReadRefused({ kind: 'cancelled' });
    }
  }

  /** Calls `leave` to end the turn if no connection comes. */
  async #connect(signal: AbortSignal | undefined, leave: Release): Promise<PoolClient> {
    const connecting = this.#pool.connect();
    try {
      return await unlessAborted(connecting, signal);
    } catch (error) {
      // An aborted read does not wait. Its turn ends when the late connection arrives or fails.
      void connecting
        .then(
          (late) => late.release(),
          () => undefined,
        )
        .then(leave);
      throw error;
    }
  }
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: gone, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(new ReadRefused({ kind: 'cancelled' }));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, gone]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
