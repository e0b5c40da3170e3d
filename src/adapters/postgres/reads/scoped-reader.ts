/**
 * Runs scoped statements as the reading role, each bounded in time: by PostgreSQL's own limit, and by ours where
 * PostgreSQL does not listen (compiling a regular expression). What is given up is cancelled in the database, and
 * its connection goes back to the pool only when it is known to be whole.
 */
import { Pool, type PoolClient, type PoolConfig, type QueryResultRow } from 'pg';
import { classifyFailure, DatabaseBusyError } from '#adapters/postgres/database-error.ts';
import { FairGate } from '#adapters/postgres/fair-gate.ts';
import { AbandonedStatements } from './abandoned-statements.ts';
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

/** How a statement is run. */
export interface StatementForm {
  /** Named statements are planned once for each connection; for texts that come again. */
  readonly isNamed?: boolean;
  /** Rows are arrays of the texts that PostgreSQL sends, NULL as null, in place of objects of parsed values. */
  readonly asTexts?: boolean;
}

export interface ReadOptions extends StatementForm {
  /** Whose share of the connections is used. */
  readonly onBehalfOf: string;
  readonly signal?: AbortSignal;
  /**
   * When the time began to count, by `performance.now()`. Where it is absent, it begins with the read; in a
   * snapshot, with each statement.
   */
  readonly startedAt?: number;
}

/** By name, or by position where rows are arrays. */
type Row = QueryResultRow | readonly unknown[];

/** Statements on one connection, in one snapshot. */
export interface ReadSession {
  query<R extends Row>(statement: ScopedStatement, form?: StatementForm): Promise<readonly R[]>;
}

/** What PostgreSQL says of some regular expressions together. */
export type PatternVerdict =
  | { readonly kind: 'good' }
  /** At least one of them is not taken. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It was not known in time. */
  | { readonly kind: 'timeout' };

/** Asks PostgreSQL, for at most so many milliseconds. */
export type JudgePatterns = (patterns: readonly string[], limitMs: number) => Promise<PatternVerdict>;

export interface ScopedReader {
  /** The rows of one statement. Throws `ReadRefused` where it is given up. */
  read<R extends Row>(statement: ScopedStatement, options: ReadOptions): Promise<readonly R[]>;
  /** Several statements in one snapshot. */
  inSnapshot<T>(options: ReadOptions, work: (session: ReadSession) => Promise<T>): Promise<T>;
  /** Regular expressions, judged on one connection. Throws `DatabaseBusyError` where none is to be had in time. */
  withPatterns<T>(onBehalfOf: string, work: (judge: JudgePatterns) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ScopedReaderConfig {
  readonly connection: PoolConfig;
  readonly poolSize: number;
  /** Milliseconds that a read may take, waiting for its turn included. */
  readonly timeoutMs: number;
}

/** How many statements a connection keeps planned before it is replaced by a fresh one. */
const MAX_NAMED_PER_CONNECTION = 300;

/** How long after its own limit PostgreSQL is given up on, in milliseconds. */
const SERVER_GRACE_MS = 20;

export function openScopedReader({ connection, poolSize, timeoutMs }: ScopedReaderConfig): ScopedReader {
  const pool = new Pool({ ...connection, max: poolSize, idleTimeoutMillis: 60_000 });
  // An idle connection that breaks is replaced when it is next needed.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const gate = new FairGate(poolSize, Math.max(1, Math.floor(poolSize / 2)));
  /** What each connection knows by name, by text. */
  const named = new WeakMap<PoolClient, Map<string, NamedStatement>>();
  const abandoned = new AbandonedStatements(connection);

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
        abandoned.abandon(client, query);
        throw error;
      }
      throw toRefusal(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
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
      // The turn is over when the connection is, or the next would wait for it in vain.
      const recovery = abandoned.take(client);
      if (recovery === undefined) {
        client.release(isBroken || (named.get(client)?.size ?? 0) > MAX_NAMED_PER_CONNECTION);
        leave();
      } else {
        void recovery.then((isWhole) => {
          client.release(!isWhole || isBroken);
          leave();
        });
      }
    }
  }

  function query(
    client: PoolClient,
    statement: ScopedStatement,
    { isNamed = false, asTexts = false }: StatementForm,
  ): Promise<Rows> {
    if (!ScopedStatement.isGenuine(statement)) throw new Error('only scoped statements run here');
    const { text, values } = statement;
    const form = { ...(asTexts ? AS_TEXTS : AS_OBJECTS), ...(values.length > 0 && { values: [...values] }) };
    if (!isNamed) return client.query({ text, ...form });
    const statements = named.get(client) ?? new Map<string, NamedStatement>();
    const known = statements.get(text) ?? { name: `fs_${statements.size}`, isPrepared: false };
    named.set(client, statements.set(text, known));
    const { name, isPrepared } = known;
    // One message, where the driver's own way by name takes four; but it carries no values.
    if (isPrepared && values.length === 0) return client.query({ text: `execute ${name}`, ...form });
    const running = client.query({ name, text, ...form });
    running.then(
      () => {
        known.isPrepared = true;
      },
      () => undefined,
    );
    return running;
  }

  async function judge(
    client: PoolClient,
    patterns: readonly string[],
    limitMs: number,
  ): Promise<PatternVerdict> {
    // The question before may have been given up, and the connection not be at rest yet.
    if ((await abandoned.take(client)) === false) throw new DatabaseBusyError();
    const running = client.query(`select count(*) from unnest($1::text[]) p where '' ~ p`, [patterns]);
    try {
      await bounded(client, running, performance.now() + limitMs, undefined);
      return { kind: 'good' };
    } catch (error) {
      if (!(error instanceof ReadRefused)) throw error;
      return error.refusal.kind === 'invalid-pattern'
        ? { kind: 'refused', reason: error.refusal.reason }
        : { kind: 'timeout' };
    }
  }

  return {
    read: (statement, options) =>
      withClient(options, async (client, deadline) => {
        const running = query(client, statement, options);
        return (await bounded(client, running, deadline, options.signal)).rows as never;
      }),

    inSnapshot: (options, work) =>
      withClient(options, async (client, deadline) => {
        const isOneTime = options.startedAt !== undefined;
        const run = (running: Promise<Rows>) =>
          bounded(client, running, isOneTime ? deadline : performance.now() + timeoutMs, options.signal).then(
            ({ rows }) => rows as never,
          );
        await run(client.query('begin isolation level repeatable read read only'));
        try {
          const result = await work({
            query: (statement, form = {}) => run(query(client, statement, form)),
          });
          await run(client.query('commit'));
          return result;
        } catch (error) {
          if (abandoned.has(client)) abandoned.afterwards(client, () => client.query('rollback'));
          // Where not even that is possible, the connection is gone, and the transaction with it.
          else await client.query('rollback').catch(() => undefined);
          throw error;
        }
      }),

    withPatterns: async (onBehalfOf, work) => {
      let hasBegun = false;
      try {
        return await withClient({ onBehalfOf }, async (client) => {
          hasBegun = true;
          return work((patterns, limitMs) => judge(client, patterns, limitMs));
        });
      } catch (error) {
        throw error instanceof ReadRefused && !hasBegun ? new DatabaseBusyError() : error;
      }
    },

    close: async () => {
      await Promise.all([pool.end(), abandoned.close()]);
    },
  };
}

interface Rows {
  readonly rows: readonly unknown[];
}

interface NamedStatement {
  readonly name: string;
  /** Whether it is certain that the database has it. */
  isPrepared: boolean;
}

const AS_OBJECTS = {};

const AS_TEXTS = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } };

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
