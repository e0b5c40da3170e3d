/**
 * Each statement runs as the reader role with a `statement_timeout`. A timer here limits it too, because
 * compiling a regular expression ignores that setting.
 */
import type { PoolClient, QueryResultRow } from 'pg';
import { DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import type { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import type { Position } from '#application/ports/freshness.ts';
import type { PoolUse } from '#application/telemetry/database-use.ts';
import { type MaybeQuick, makeQuickReads } from './quick-reads.ts';
import { ReadRefused } from './read-refusal.ts';
import { ReaderConnections, type ReaderConnectionsConfig } from './reader-connections.ts';
import { type QueryOptions, type Rows, type StatementForm, StatementRunner } from './statement-runner.ts';

export interface ReadOptions extends StatementForm {
  /** The user or tenant whose share of the connections is used. */
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal | undefined;
  /**
   * The time of `performance.now()` from which the deadline counts. Default: the beginning of the read, or of
   * each statement in a snapshot. The wait for a turn does not count.
   */
  readonly startedAt?: number;
  /** A replica must have replayed this position before it may answer. */
  readonly seen?: Position | null;
  /** Without it, the read runs alone. */
  readonly maybeQuick?: MaybeQuick;
  /** Returns false for a stream once its consumer has taken rows. Default: true. */
  readonly isRepeatable?: () => boolean;
}

export interface SnapshotOptions extends ReadOptions {
  /** Keeps PostgreSQL from scanning a table where an index has the rows. */
  readonly avoidsScans?: boolean;
}

export type Row = QueryResultRow | readonly unknown[];

export interface ReadSession {
  query<R extends Row>(statement: ScopedStatement, options?: QueryOptions): Promise<readonly R[]>;
}

export type PatternVerdict =
  | { readonly kind: 'good' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'timeout' };

export type JudgePatterns = (patterns: readonly string[], limitMs: number) => Promise<PatternVerdict>;

export interface ScopedReader {
  /** Throws `ReadRefused` if the read misses its deadline or is canceled, `DatabaseBusyError` if it gets no turn. */
  read<R extends Row>(statement: ScopedStatement, options: ReadOptions): Promise<readonly R[]>;
  /** All statements see the same snapshot. Throws like `read`. */
  inSnapshot<T>(options: SnapshotOptions, work: (session: ReadSession) => Promise<T>): Promise<T>;
  /** Throws `DatabaseBusyError` if there is no turn. */
  withPatterns<T>(onBehalfOf: string, work: (judge: JudgePatterns) => Promise<T>): Promise<T>;
  use(): readonly Omit<PoolUse, 'pool'>[];
  close(): Promise<void>;
}

const COMPILE_PATTERNS = `select count(*) from unnest($1::text[]) p where '' ~ p collate patterns`;
const BEGIN = 'begin isolation level repeatable read read only';
const BEGIN_WITHOUT_SCANS = `${BEGIN}; set local enable_seqscan = off`;

export function openScopedReader(config: ReaderConnectionsConfig): ScopedReader {
  const { connection, poolSize, timeoutMs, admit } = config;
  // Through a pooler, settings hold only inside a transaction, and prepared names are lost.
  const isPooled = connection.isPooled === true;
  const statements = new StatementRunner(!isPooled);
  const connections = new ReaderConnections(config, (client) => statements.isFull(client));

  async function judge(
    client: PoolClient,
    patterns: readonly string[],
    limitMs: number,
  ): Promise<PatternVerdict> {
    // An abandoned check may still run on this connection, so this one waits for its end.
    if ((await connections.abandoned.take(client)) === false) throw new DatabaseBusyError();
    const deadline = performance.now() + limitMs;
    if (isPooled) await client.query('begin');
    const running = client.query(COMPILE_PATTERNS, [patterns]);
    try {
      await connections.bounded(client, running, deadline);
      return { kind: 'good' };
    } catch (error) {
      if (!(error instanceof ReadRefused)) throw error;
      return error.refusal.kind === 'invalid-pattern'
        ? { kind: 'refused', reason: error.refusal.reason }
        : { kind: 'timeout' };
    } finally {
      if (isPooled) await connections.rollBack(client);
    }
  }

  function readAlone(statement: ScopedStatement, options: ReadOptions): Promise<Rows['rows']> {
    return connections.with(options, async (client, deadline) => {
      const sentAt = performance.now();
      const running = statements.run(client, statement, options);
      const { rows } = await connections.bounded(client, running, deadline, options.signal);
      options.maybeQuick?.pace.note(performance.now() - sentAt);
      return rows;
    });
  }

  const quickReads = makeQuickReads({ timeoutMs, statements, connections, readAlone });

  const reader: ScopedReader = {
    read: (statement, options) => {
      if (isPooled) {
        const { startedAt = performance.now() } = options;
        return reader.inSnapshot({ ...options, startedAt }, (session) => session.query(statement, options));
      }
      // A replica checks its freshness for each read, so reads share no batch there.
      const together = admit === undefined ? quickReads.join(statement, options) : null;
      return (together ?? readAlone(statement, options)) as Promise<never>;
    },

    inSnapshot: (options, work) =>
      connections.with(options, async (client, deadline) => {
        const hasOneDeadline = options.startedAt !== undefined;
        const run = async (running: Promise<Rows>, ownDeadline?: number) => {
          const end = ownDeadline ?? (hasOneDeadline ? deadline : performance.now() + timeoutMs);
          const { rows } = await connections.bounded(client, running, end, options.signal);
          return rows as never;
        };
        try {
          // Inside the `try`, because the transaction may have begun even if `begin` is given up.
          await run(client.query(options.avoidsScans === true ? BEGIN_WITHOUT_SCANS : BEGIN));
          const result = await work({
            query: (statement, options = {}) =>
              run(statements.run(client, statement, options), options.deadline),
          });
          await run(client.query('commit'));
          return result;
        } catch (error) {
          await connections.rollBack(client);
          throw error;
        }
      }),

    withPatterns: (onBehalfOf, work) =>
      connections.with({ onBehalfOf }, (client) =>
        work((patterns, limitMs) => judge(client, patterns, limitMs)),
      ),

    use: () => {
      const { inUse, waiting } = connections.use;
      return [{ size: poolSize, inUse, waiting: waiting + quickReads.waiting() }];
    },

    close: () => connections.close(),
  };
  return reader;
}
