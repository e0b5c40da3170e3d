/**
 * Runs scoped statements as the reader role. Each has a deadline: PostgreSQL's `statement_timeout`, and a timer here
 * because compiling a regular expression ignores it. An abandoned statement is cancelled, and its connection returns
 * to the pool only once it is idle.
 */
import { Pool, type PoolClient, type QueryResultRow } from 'pg';
import { DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import { type Admit, ReplicaBehindError } from '#adapters/postgres/reads/replicas/freshness.ts';
import type { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { DatabaseConnection } from '#adapters/postgres/setup/connections/connection-config.ts';
import { FairShare, type Release } from '#application/admission/fair-share.ts';
import { Deadlines } from '#application/deadlines.ts';
import type { Position } from '#application/ports/freshness.ts';
import type { PoolUse } from '#application/telemetry/pool-use.ts';
import { AbandonedStatements } from './abandoned-statements.ts';
import { type MaybeQuick, makeQuickReads } from './quick-reads.ts';
import { ReadRefused, toRefusal } from './read-refusal.ts';
import { type QueryOptions, type Rows, type StatementForm, StatementRunner } from './statement-runner.ts';

export interface ReadOptions extends StatementForm {
  /** Whose share of the connections the read uses. */
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
  /**
   * When the deadline began, by `performance.now()`. Default: when the read begins; in a snapshot, when each
   * statement begins. The wait for a turn does not count.
   */
  readonly startedAt?: number;
  /** A replica must have replayed this position to answer. Absent or null: any position. */
  readonly seen?: Position | null;
  /** Absent: the read goes alone. */
  readonly maybeQuick?: MaybeQuick;
  /** Whether the read can be repeated. A stream cannot once its consumer has taken rows. Default: true. */
  readonly isRepeatable?: () => boolean;
}

export interface SnapshotOptions extends ReadOptions {
  /** Keeps the planner from scanning a whole table where an index has the rows. */
  readonly avoidsScans?: boolean;
}

/** An object by column name, or an array. */
export type Row = QueryResultRow | readonly unknown[];

export interface ReadSession {
  query<R extends Row>(statement: ScopedStatement, options?: QueryOptions): Promise<readonly R[]>;
}

/** PostgreSQL's verdict on several regular expressions together. */
export type PatternVerdict =
  | { readonly kind: 'good' }
  /** At least one is invalid. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'timeout' };

export type JudgePatterns = (patterns: readonly string[], limitMs: number) => Promise<PatternVerdict>;

export interface ScopedReader {
  /** Throws `ReadRefused` if the read misses its deadline or is abandoned, `DatabaseBusyError` if it gets no turn. */
  read<R extends Row>(statement: ScopedStatement, options: ReadOptions): Promise<readonly R[]>;
  /** Several statements in one snapshot. Throws like `read`. */
  inSnapshot<T>(options: SnapshotOptions, work: (session: ReadSession) => Promise<T>): Promise<T>;
  /** Uses one connection. Throws `DatabaseBusyError` if there is no turn. */
  withPatterns<T>(onBehalfOf: string, work: (judge: JudgePatterns) => Promise<T>): Promise<T>;
  use(): readonly Omit<PoolUse, 'pool'>[];
  close(): Promise<void>;
}

export interface ScopedReaderConfig {
  readonly connection: DatabaseConnection;
  readonly poolSize: number;
  /** Milliseconds from the read's turn. */
  readonly timeoutMs: number;
  /** Milliseconds that a read may wait for its turn. Default: 30,000. */
  readonly maxWaitMs?: number;
  /** Only on replicas. */
  readonly admit?: Admit;
}

/** Milliseconds beyond its own limit that PostgreSQL may take. */
const SERVER_GRACE_MS = 20;

/** Requests wait for admission before; direct callers of use cases wait here. */
const DEFAULT_MAX_WAIT_MS = 30_000;

const COMPILE_PATTERNS = `select count(*) from unnest($1::text[]) p where '' ~ p collate patterns`;
const BEGIN = 'begin isolation level repeatable read read only';
const BEGIN_WITHOUT_SCANS = `${BEGIN}; set local enable_seqscan = off`;

export function openScopedReader({
  connection,
  poolSize,
  timeoutMs,
  maxWaitMs = DEFAULT_MAX_WAIT_MS,
  admit,
}: ScopedReaderConfig): ScopedReader {
  const pool = new Pool({ ...connection, max: poolSize, idleTimeoutMillis: 60_000 });
  // An idle connection that breaks is replaced when it is next needed.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const share = Math.max(1, Math.floor(poolSize / 2));
  const turns = new FairShare({
    total: poolSize,
    perTenant: share,
    perCaller: share,
    maxWaitingPerCaller: Number.POSITIVE_INFINITY,
    maxWaitingPerTenant: Number.POSITIVE_INFINITY,
    maxWaitMs,
  });
  // Through a pooler, settings hold only inside a transaction and prepared names are lost.
  const isPooled = connection.isPooled === true;
  const statements = new StatementRunner(!isPooled);
  const abandoned = new AbandonedStatements(connection);
  const deadlines = new Deadlines();
  /** Connections between two turns. */
  const passedOn: PoolClient[] = [];

  function bounded<T>(
    client: PoolClient,
    query: Promise<T>,
    deadline: number,
    signal?: AbortSignal,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const giveUp = (kind: 'timeout' | 'cancelled') => {
      settle();
      abandoned.abandon(client, query);
      reject(new ReadRefused({ kind }));
    };
    const onAbort = () => giveUp('cancelled');
    const end = deadlines.set(deadline + SERVER_GRACE_MS, () => giveUp('timeout'));
    const settle = () => {
      deadlines.clear(end);
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

  async function takeTurn(onBehalfOf: string, signal: AbortSignal | undefined): Promise<Release> {
    const turn = await turns.claim({ tenant: onBehalfOf, caller: onBehalfOf }, 1, signal);
    switch (turn.kind) {
      case 'granted':
        return turn.release;
      case 'refused':
        throw new DatabaseBusyError();
      case 'cancelled':
        throw new ReadRefused({ kind: 'cancelled' });
    }
  }

  /** `leave` ends the turn if no connection comes. */
  async function takeFromPool(signal: AbortSignal | undefined, leave: Release): Promise<PoolClient> {
    // An idle connection arrives at the next tick, so the signal need not be watched.
    const isAtHand = pool.idleCount > pool.waitingCount;
    const connecting = pool.connect();
    try {
      return await (isAtHand ? connecting : unlessAborted(connecting, signal));
    } catch (error) {
      // An aborted read does not wait. Its turn ends when the late connection arrives or fails.
      void connecting.then((late) => late.release(), ignore).then(leave);
      throw error;
    }
  }

  /**
   * Gives the connection to the next turn in the same pass of the event loop, otherwise to the pool. The pool would
   * set and clear two timers each time.
   */
  function passOn(client: PoolClient): void {
    passedOn.push(client);
    if (passedOn.length === 1) setImmediate(releasePassedOn);
  }

  function releasePassedOn(): void {
    for (const client of passedOn.splice(0)) client.release();
  }

  async function withClient<T>(
    { onBehalfOf, signal, startedAt = performance.now(), seen = null }: ReadOptions,
    work: (client: PoolClient, deadline: number) => Promise<T>,
  ): Promise<T> {
    const arrivedAt = performance.now();
    const leave = await takeTurn(onBehalfOf, signal);
    const deadline = startedAt + (performance.now() - arrivedAt) + timeoutMs;
    const client = passedOn.pop() ?? (await takeFromPool(signal, leave));
    let isBroken = false;
    try {
      // A short statement can end before a timer that is due.
      if (performance.now() >= deadline) throw new ReadRefused({ kind: 'timeout' });
      if (admit !== undefined) await bounded(client, admit(client, seen), deadline, signal);
      return await work(client, deadline);
    } catch (error) {
      isBroken = !(error instanceof ReadRefused || error instanceof ReplicaBehindError);
      throw error;
    } finally {
      // The turn ends when the connection is free; otherwise the next caller would wait for it.
      const recovery = abandoned.take(client);
      if (recovery === undefined) {
        if (isBroken || statements.isFull(client)) client.release(true);
        else passOn(client);
        leave();
      } else {
        void recovery.then((isIdle) => {
          client.release(!isIdle || isBroken);
          leave();
        });
      }
    }
  }

  async function judge(
    client: PoolClient,
    patterns: readonly string[],
    limitMs: number,
  ): Promise<PatternVerdict> {
    // The previous question may be abandoned and still running on the connection.
    if ((await abandoned.take(client)) === false) throw new DatabaseBusyError();
    const deadline = performance.now() + limitMs;
    if (isPooled) await client.query('begin');
    const running = client.query(COMPILE_PATTERNS, [patterns]);
    try {
      await bounded(client, running, deadline);
      return { kind: 'good' };
    } catch (error) {
      if (!(error instanceof ReadRefused)) throw error;
      return error.refusal.kind === 'invalid-pattern'
        ? { kind: 'refused', reason: error.refusal.reason }
        : { kind: 'timeout' };
    } finally {
      if (isPooled) await rollBack(client);
    }
  }

  /** Waits until an abandoned statement has ended. */
  async function rollBack(client: PoolClient): Promise<void> {
    if (abandoned.has(client)) abandoned.afterwards(client, () => client.query('rollback'));
    // A failed rollback means that the connection and its transaction are gone.
    else await client.query('rollback').catch(() => undefined);
  }

  function readAlone(statement: ScopedStatement, options: ReadOptions): Promise<Rows['rows']> {
    return withClient(options, async (client, deadline) => {
      const sentAt = performance.now();
      const running = statements.run(client, statement, options);
      const { rows } = await bounded(client, running, deadline, options.signal);
      options.maybeQuick?.pace.note(performance.now() - sentAt);
      return rows;
    });
  }

  const quickReads = makeQuickReads({ timeoutMs, statements, withClient, bounded, readAlone });

  const reader: ScopedReader = {
    read: (statement, options) => {
      if (isPooled) {
        const { startedAt = performance.now() } = options;
        return reader.inSnapshot({ ...options, startedAt }, (session) => session.query(statement, options));
      }
      // A replica checks for each read what it must not miss.
      const together = admit === undefined ? quickReads.join(statement, options) : null;
      return (together ?? readAlone(statement, options)) as Promise<never>;
    },

    inSnapshot: (options, work) =>
      withClient(options, async (client, deadline) => {
        const hasOneDeadline = options.startedAt !== undefined;
        const run = (running: Promise<Rows>, ownDeadline?: number) =>
          bounded(
            client,
            running,
            ownDeadline ?? (hasOneDeadline ? deadline : performance.now() + timeoutMs),
            options.signal,
          ).then(({ rows }) => rows as never);
        try {
          // The transaction has begun even if the read is given up here.
          await run(client.query(options.avoidsScans === true ? BEGIN_WITHOUT_SCANS : BEGIN));
          const result = await work({
            query: (statement, options = {}) =>
              run(statements.run(client, statement, options), options.deadline),
          });
          await run(client.query('commit'));
          return result;
        } catch (error) {
          await rollBack(client);
          throw error;
        }
      }),

    withPatterns: (onBehalfOf, work) =>
      withClient({ onBehalfOf }, (client) => work((patterns, limitMs) => judge(client, patterns, limitMs))),

    use: () => [{ size: poolSize, inUse: turns.held, waiting: turns.waiting + quickReads.waiting() }],

    close: async () => {
      await Promise.all([pool.end(), abandoned.close()]);
    },
  };
  return reader;
}

const ignore = () => undefined;

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
