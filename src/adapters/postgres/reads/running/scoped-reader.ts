/**
 * Runs scoped statements as the reader role, each with a deadline: PostgreSQL's `statement_timeout`, and a timer of
 * our own for what does not heed it (compiling a regular expression). An abandoned statement is cancelled in the
 * database, and its connection returns to the pool only once it is idle again.
 */
import { Pool, type PoolClient, type QueryResultRow } from 'pg';
import { DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import type { Admit } from '#adapters/postgres/reads/replicas/admit-fresh.ts';
import { ReplicaBehindError } from '#adapters/postgres/reads/replicas/replica-errors.ts';
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
  /** Abandons the read when it fires. */
  readonly signal?: AbortSignal;
  /**
   * When the deadline began to run, by `performance.now()`. By default it begins with the read; in a snapshot, anew
   * with each statement. The wait for a turn does not count.
   */
  readonly startedAt?: number;
  /** What the read must not miss where it is answered by a replica; absent or null: nothing. */
  readonly seen?: Position | null;
  /** How the read may go together with others where it is known to be quick; absent: it goes alone. */
  readonly maybeQuick?: MaybeQuick;
  /** Whether it can be run once more, which a stream cannot that somebody has begun to take; by default it can. */
  readonly isRepeatable?: () => boolean;
}

export interface SnapshotOptions extends ReadOptions {
  /** Whether the planner is kept from scanning a whole table where an index has the rows, however many they are. */
  readonly avoidsScans?: boolean;
}

/** By name, or by position where rows are arrays. */
export type Row = QueryResultRow | readonly unknown[];

/** Statements on one connection, in one snapshot. */
export interface ReadSession {
  query<R extends Row>(statement: ScopedStatement, options?: QueryOptions): Promise<readonly R[]>;
}

/** What PostgreSQL says about several regular expressions together. */
export type PatternVerdict =
  | { readonly kind: 'good' }
  /** It rejects at least one of them. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It did not answer in time. */
  | { readonly kind: 'timeout' };

/** Asks PostgreSQL about the patterns, for at most `limitMs`. */
export type JudgePatterns = (patterns: readonly string[], limitMs: number) => Promise<PatternVerdict>;

export interface ScopedReader {
  /**
   * The rows of one statement. Throws `ReadRefused` if it misses its deadline or is abandoned, `DatabaseBusyError` if
   * there is no turn for it.
   */
  read<R extends Row>(statement: ScopedStatement, options: ReadOptions): Promise<readonly R[]>;
  /** Several statements in one snapshot. Throws like `read`. */
  inSnapshot<T>(options: SnapshotOptions, work: (session: ReadSession) => Promise<T>): Promise<T>;
  /** Judges regular expressions on one connection. Throws `DatabaseBusyError` if there is no turn for it. */
  withPatterns<T>(onBehalfOf: string, work: (judge: JudgePatterns) => Promise<T>): Promise<T>;
  /** How much of its connections is in use, on each server. */
  use(): readonly Omit<PoolUse, 'pool'>[];
  close(): Promise<void>;
}

export interface ScopedReaderConfig {
  readonly connection: DatabaseConnection;
  readonly poolSize: number;
  /** How long a read may take from its turn on, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a read may wait for its turn, in milliseconds; default: 30,000. */
  readonly maxWaitMs?: number;
  /** Of a replica: lets reads onto its connections, or throws. */
  readonly admit?: Admit;
}

/** How long after its own limit PostgreSQL is given up on, in milliseconds. */
const SERVER_GRACE_MS = 20;

/** Requests have been admitted before; whoever calls use cases directly may wait this long. */
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
  // By way of a pooler, a statement has the connection's settings in a transaction only, and names are not kept.
  const isPooled = connection.isPooled === true;
  const statements = new StatementRunner(!isPooled);
  const abandoned = new AbandonedStatements(connection);
  const deadlines = new Deadlines();
  /** Connections on their way from one turn to the next. */
  const passedOn: PoolClient[] = [];

  /** Waits for the query, the deadline or the abort signal, whichever comes first. */
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

  /** `leave` ends the turn if there is no connection for it. */
  async function takeFromPool(signal: AbortSignal | undefined, leave: Release): Promise<PoolClient> {
    // Then it is there at the next tick, and need not be waited for with an eye on the signal.
    const isAtHand = pool.idleCount > pool.waitingCount;
    const connecting = pool.connect();
    try {
      return await (isAtHand ? connecting : unlessAborted(connecting, signal));
    } catch (error) {
      // Whoever has gone does not wait for a connection; the turn ends when it is there, or has failed.
      void connecting.then((late) => late.release(), ignore).then(leave);
      throw error;
    }
  }

  /**
   * To whoever comes next in this turn of the event loop, as happens wherever there is a queue: past the pool, which
   * sets two timers and clears them in between. Otherwise back to the pool.
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
      // A short statement could be faster than a timer that is due.
      if (performance.now() >= deadline) throw new ReadRefused({ kind: 'timeout' });
      if (admit !== undefined) await bounded(client, admit(client, seen), deadline, signal);
      return await work(client, deadline);
    } catch (error) {
      isBroken = !(error instanceof ReadRefused || error instanceof ReplicaBehindError);
      throw error;
    } finally {
      // The turn ends when the connection is free, or the next caller would wait for it in vain.
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
    // The previous question may have been abandoned, and the connection may still be busy with it.
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

  /** At once, or as soon as the statement has ended that nobody waits for. */
  async function rollBack(client: PoolClient): Promise<void> {
    if (abandoned.has(client)) abandoned.afterwards(client, () => client.query('rollback'));
    // If even that fails, the connection is gone, and the transaction with it.
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
      // A replica has to know, for each read, what it must not miss.
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
          // Given up as it begins, it has begun all the same.
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

/** What the promise gives, unless the signal fires first. */
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
