/**
 * Sends several quick reads in one message, because writing to a connection and waking it costs more than most of them.
 * After a failure, unfinished reads are repeated one by one, which is safe because reads change nothing.
 */
import type { PoolClient } from 'pg';
import { isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import type { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { Batches, type BatchLimits, type Piece } from '#application/admission/batches.ts';
import { ReadRefused } from './read-refusal.ts';
import type { ReaderConnections } from './reader-connections.ts';
import type { ReadOptions } from './scoped-reader.ts';
import type { Rows, StatementRunner } from './statement-runner.ts';

/** Slower reads run alone. */
const QUICK_MS = 2;

/** A batch that takes longer is abandoned, because one of its reads is no longer quick. */
const MAX_BATCH_MS = 50;

const LIMITS: BatchLimits = {
  // While one batch runs, the answers of another are built.
  atOnce: 2,
  size: 8,
  expectedMs: 6,
};

/** A read gives up its turn only while fewer reads than this wait for a batch. */
const MAX_WITHOUT_TURN = { ofTenant: 16, ofCaller: 12 };

export class Pace {
  #ms = Number.POSITIVE_INFINITY;

  /** Infinite until the read has run. */
  get expectedMs(): number {
    return this.#ms;
  }

  /** A slower run counts little, because other load on the machine usually causes it. */
  note(ms: number): void {
    this.#ms = Math.min(ms, this.#ms * 1.05);
  }
}

export interface MaybeQuick {
  /** Reads of one tenant share a batch. */
  readonly tenant: string;
  readonly pace: Pace;
  /** Called when the read begins to wait for a batch. While it waits, it needs no turn. */
  readonly endTurn?: () => void;
}

export interface QuickReads {
  /** Null if the read is not known to be quick or cannot join a batch. */
  join(statement: ScopedStatement, options: ReadOptions): Promise<Rows['rows']> | null;
  waiting(): number;
}

export interface QuickReadsDeps {
  /** A read's time limit. The wait for its turn does not count. */
  readonly timeoutMs: number;
  readonly statements: StatementRunner;
  readonly connections: ReaderConnections;
  readonly readAlone: (statement: ScopedStatement, options: ReadOptions) => Promise<Rows['rows']>;
}

interface QuickRead extends Piece {
  readonly statement: ScopedStatement;
  readonly pace: Pace;
  readonly options: ReadOptions;
  readonly arrivedAt: number;
  /** Set when the batch is sent, because waiting for a batch does not count. */
  deadline: number;
  isOpen: boolean;
  readonly answer: (rows: Rows['rows'] | Promise<Rows['rows']>) => void;
  readonly fail: (error: unknown) => void;
}

export function makeQuickReads({
  timeoutMs,
  statements,
  connections,
  readAlone,
}: QuickReadsDeps): QuickReads {
  const batches = new Batches<QuickRead>(LIMITS, async (tenant, take) => {
    let sent: readonly QuickRead[] | null = null;
    try {
      await connections.with({ onBehalfOf: `quick reads of ${tenant}` }, async (client) => {
        sent = take();
        await runOn(client, sent);
      });
    } catch (error) {
      // `sent` is null if the batch got no turn or no connection.
      if (sent === null) {
        for (let reads = take(); reads.length > 0; reads = take()) failAll(reads, error);
      } else if (isDatabaseUnavailable(error)) failAll(sent, error);
      else askAgain(sent);
    }
  });

  /** Sends the prepared reads together, then the others one by one. */
  async function runOn(client: PoolClient, reads: readonly QuickRead[]): Promise<void> {
    const now = performance.now();
    for (const read of reads) {
      const { options, arrivedAt } = read;
      read.deadline = (options.startedAt ?? arrivedAt) + (now - arrivedAt) + timeoutMs;
    }
    const prepared = reads.filter(({ statement }) => statements.isPrepared(client, statement));
    if (prepared.length > 0) await send(client, prepared);
    for (const read of reads) {
      if (read.isOpen && !prepared.includes(read)) await send(client, [read]);
    }
  }

  async function send(client: PoolClient, reads: readonly QuickRead[]): Promise<void> {
    const sentAt = performance.now();
    const end = Math.min(sentAt + MAX_BATCH_MS, ...reads.map(({ deadline }) => deadline));
    const take = (index: number, rows: Rows['rows']) => reads[index]?.answer(rows);
    const [only] = reads;
    const running =
      only !== undefined && reads.length === 1
        ? statements.run(client, only.statement, only.options).then(({ rows }) => take(0, rows))
        : statements.runTogether(
            client,
            reads.map(({ statement }) => statement),
            take,
          );
    try {
      await connections.bounded(client, running, end);
    } finally {
      const ms = performance.now() - sentAt;
      // Any unfinished read may be the slow one, so the whole time counts for each.
      for (const { pace, isOpen } of reads) pace.note(isOpen ? ms : ms / reads.length);
    }
  }

  function askAgain(reads: readonly QuickRead[]): void {
    for (const { isOpen, answer, statement, options, deadline } of reads) {
      if (isOpen) answer(readAlone(statement, { ...options, startedAt: deadline - timeoutMs }));
    }
  }

  return {
    join: (statement, options) => {
      const { maybeQuick, signal, isNamed, asTexts, onBehalfOf } = options;
      if (maybeQuick === undefined || isNamed !== true || asTexts !== true) return null;
      // A batch consists of stored messages of prepared statements, which contain no values.
      if (statement.values.length > 0) return null;
      const { tenant, pace, endTurn } = maybeQuick;
      const { expectedMs } = pace;
      if (expectedMs > QUICK_MS || signal?.aborted === true) return null;
      const { promise, resolve, reject } = Promise.withResolvers<Rows['rows']>();
      const close = () => {
        const wasOpen = read.isOpen;
        read.isOpen = false;
        signal?.removeEventListener('abort', onAbort);
        return wasOpen;
      };
      const read: QuickRead = {
        caller: onBehalfOf,
        expectedMs,
        pace,
        statement,
        options,
        arrivedAt: performance.now(),
        deadline: Number.POSITIVE_INFINITY,
        isOpen: true,
        answer: (rows) => {
          if (close()) resolve(rows);
        },
        fail: (error) => {
          if (close()) reject(error);
        },
      };
      const onAbort = () => {
        batches.withdraw(tenant, read);
        read.fail(new ReadRefused({ kind: 'cancelled' }));
      };
      const waiting = batches.waitingOf(tenant, onBehalfOf);
      if (waiting.ofTenant < MAX_WITHOUT_TURN.ofTenant && waiting.ofCaller < MAX_WITHOUT_TURN.ofCaller) {
        endTurn?.();
      }
      batches.add(tenant, read);
      signal?.addEventListener('abort', onAbort, { once: true });
      return promise;
    },

    waiting: () => batches.waiting,
  };
}

function failAll(reads: readonly QuickRead[], error: unknown): void {
  for (const { fail } of reads) fail(error);
}
