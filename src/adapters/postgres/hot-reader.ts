/**
 * Runs scoped statements as the reading role, each bounded in time: by PostgreSQL's own limit, and by ours where
 * PostgreSQL does not listen (compiling a regular expression). What is given up is cancelled in the database, and
 * its connection goes back to the pool only when it is known to be whole.
 */
import { Pool, type PoolClient, type PoolConfig, type QueryResultRow } from 'pg';
import { classifyFailure } from './database-error.ts';
import { FairGate } from './fair-gate.ts';
import { ScopedStatement } from './sql/scoped-statement.ts';

export type ReadRefusal =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'invalid-pattern'; readonly reason: string };

/** Ends a read with an answer instead of rows. */
export class ReadRefused extends Error {
  readonly refusal: ReadRefusal;

  constructor(refusal: ReadRefusal) {
    super(`the read ended: ${refusal.kind}`);
    this.name = 'ReadRefused';
    this.refusal = refusal;
  }
}

export interface ReadOptions {
  /** Whose share of the connections is used. */
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
  /** When the time began to count, by `performance.now()`; the start of the read where it is absent. */
  readonly startedAt?: number;
  /** Named statements are planned once for each connection; for texts that come again. */
  readonly isNamed?: boolean;
}

/** Statements on one connection, in one snapshot. */
export interface ReadSession {
  query<R extends QueryResultRow>(statement: ScopedStatement, isNamed?: boolean): Promise<readonly R[]>;
  /** Goes on with a cursor that a statement of the session declared. */
  fetch<R extends QueryResultRow>(cursor: string, count: number): Promise<readonly R[]>;
}

export interface HotReader {
  /** The rows of one statement. Throws `ReadRefused` where it is given up. */
  read<R extends QueryResultRow>(statement: ScopedStatement, options: ReadOptions): Promise<readonly R[]>;
  /** Several statements in one snapshot; the time limit counts for each of them. */
  inSnapshot<T>(options: ReadOptions, work: (session: ReadSession) => Promise<T>): Promise<T>;
  /** The reason why PostgreSQL refuses a regular expression, or null. */
  checkPattern(pattern: string): Promise<string | null>;
  close(): Promise<void>;
}

export interface HotReaderConfig {
  readonly connection: PoolConfig;
  readonly poolSize: number;
  /** Milliseconds that a read may take, waiting for its turn included. */
  readonly timeoutMs: number;
}

/** How many statements a connection keeps planned before it is replaced by a fresh one. */
const MAX_NAMED_PER_CONNECTION = 300;

/** How long after its own limit PostgreSQL is given up on, in milliseconds. */
const SERVER_GRACE_MS = 20;

/** A connection that does not come to rest in this time after a cancel is closed, in milliseconds. */
const RECOVERY_MS = 10_000;

export function openHotReader({ connection, poolSize, timeoutMs }: HotReaderConfig): HotReader {
  const pool = new Pool({ ...connection, max: poolSize, idleTimeoutMillis: 60_000 });
  // Cancelling must not wait behind what it is to cancel.
  const control = new Pool({ ...connection, max: 1, idleTimeoutMillis: 60_000 });
  // An idle connection that breaks is replaced when it is next needed.
  pool.on('error', () => undefined);
  control.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const gate = new FairGate(poolSize, Math.max(1, Math.floor(poolSize / 2)));
  const named = new WeakMap<PoolClient, Set<string>>();

  /** Waits for the query, the time limit or the caller's patience, whichever ends first. */
  async function bounded<T>(
    client: PoolClient,
    query: Promise<T>,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { promise: givenUp, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new ReadRefused({ kind: 'timeout' })),
      Math.max(0, deadline + SERVER_GRACE_MS - performance.now()),
    );
    const onAbort = () => reject(new ReadRefused({ kind: 'cancelled' }));
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    try {
      return await Promise.race([query, givenUp]);
    } catch (error) {
      if (error instanceof ReadRefused) {
        abandoned.set(client, cancel(client, query));
        throw error;
      }
      throw toRefusal(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Connections whose statement was given up, with the promise of their coming to rest. */
  const abandoned = new WeakMap<PoolClient, Promise<boolean>>();

  /** Whether the connection came to rest and can be used again. */
  async function cancel(client: PoolClient, query: Promise<unknown>): Promise<boolean> {
    const settled = query.then(
      () => true,
      () => true,
    );
    const pid = (client as PoolClient & { readonly processID: number | null }).processID;
    const asked = control.query('select pg_cancel_backend($1)', [pid]).then(
      () => true,
      () => false,
    );
    const { promise: tooLate, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), RECOVERY_MS);
    const isWhole = await Promise.race([
      Promise.all([settled, asked]).then((all) => all.every(Boolean)),
      tooLate,
    ]);
    clearTimeout(timer);
    return isWhole;
  }

  function release(client: PoolClient, isBroken: boolean): void {
    const recovery = abandoned.get(client);
    abandoned.delete(client);
    if (recovery === undefined) {
      client.release(isBroken || (named.get(client)?.size ?? 0) > MAX_NAMED_PER_CONNECTION);
    } else {
      void recovery.then((isWhole) => client.release(!isWhole || isBroken));
    }
  }

  async function withClient<T>(
    { onBehalfOf, signal, startedAt = performance.now() }: ReadOptions,
    work: (client: PoolClient, deadline: number) => Promise<T>,
  ): Promise<T> {
    const deadline = startedAt + timeoutMs;
    const leave = await gate.enter(onBehalfOf, deadline - performance.now(), signal);
    if (typeof leave === 'string') throw new ReadRefused({ kind: leave });
    let client: PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      leave();
      throw error;
    }
    let isBroken = false;
    try {
      return await work(client, deadline);
    } catch (error) {
      isBroken = !(error instanceof ReadRefused);
      throw error;
    } finally {
      const recovery = abandoned.get(client);
      release(client, isBroken);
      // The turn is over when the connection is, or the next would wait for it in vain.
      if (recovery === undefined) leave();
      else void recovery.then(leave);
    }
  }

  function query<R extends QueryResultRow>(client: PoolClient, statement: ScopedStatement, isNamed: boolean) {
    if (!ScopedStatement.isGenuine(statement)) throw new Error('only scoped statements run here');
    if (!isNamed) return client.query<R>(statement.text);
    const { name, text } = statement;
    const known = named.get(client) ?? new Set();
    named.set(client, known.add(name));
    return client.query<R>({ name, text });
  }

  return {
    read: (statement, options) =>
      withClient(options, async (client, deadline) => {
        const running = query(client, statement, options.isNamed ?? false);
        return (await bounded(client, running, deadline, options.signal)).rows as never;
      }),

    inSnapshot: (options, work) =>
      withClient(options, async (client) => {
        const run = <R extends QueryResultRow>(running: Promise<{ rows: R[] }>) =>
          bounded(client, running, performance.now() + timeoutMs, options.signal).then(({ rows }) => rows);
        await run(client.query('begin isolation level repeatable read read only'));
        try {
          const result = await work({
            query: (statement, isNamed = false) => run(query(client, statement, isNamed)),
            fetch: (cursor, count) => run(client.query(`fetch ${count} from ${cursor}`)),
          });
          await run(client.query('commit'));
          return result;
        } catch (error) {
          // Queued behind a statement that is being cancelled, it runs as soon as that has ended.
          const undone = client.query('rollback');
          if (abandoned.has(client)) undone.catch(() => undefined);
          else await undone;
          throw error;
        }
      }),

    checkPattern: async (pattern) => {
      try {
        await withClient({ onBehalfOf: 'patterns' }, (client, deadline) =>
          bounded(client, client.query(`select '' ~ $1`, [pattern]), deadline, undefined),
        );
        return null;
      } catch (error) {
        if (!(error instanceof ReadRefused)) throw error;
        return error.refusal.kind === 'invalid-pattern'
          ? error.refusal.reason
          : 'regular expression is too complex';
      }
    },

    close: async () => {
      await Promise.all([pool.end(), control.end()]);
    },
  };
}

/** What the driver's error means to whoever asked, or the error itself. */
function toRefusal(error: unknown): unknown {
  switch (classifyFailure(error)) {
    case 'stopped':
    case 'too-complex':
      return new ReadRefused({ kind: 'timeout' });
    case 'invalid-pattern': {
      const reason = error instanceof Error ? error.message.replace(/^invalid regular expression: /, '') : '';
      return new ReadRefused({ kind: 'invalid-pattern', reason });
    }
    default:
      return error;
  }
}
