/**
 * Reads that are known to be quick, several in one message: a connection is written to, woken up and read from once for
 * all of them, which costs more than most of them do. They change nothing, so whatever goes wrong with one of them,
 * those that are not through are asked again, each by itself.
 */
import type { PoolClient } from 'pg';
import { isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import type { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { Batches, type BatchLimits, type Piece } from '#application/admission/batches.ts';
import { ReadRefused } from './read-refusal.ts';
import type { ReadOptions } from './scoped-reader.ts';
import type { Rows, StatementRunner } from './statement-runner.ts';

/** What takes longer goes alone, in milliseconds. */
const QUICK_MS = 2;

/** A batch is given up after this time, in milliseconds: something in it is not quick any more. */
const MAX_BATCH_MS = 50;

const LIMITS: BatchLimits = {
  // While one is under way, the answers of the other are being made.
  atOnce: 2,
  size: 8,
  expectedMs: 6,
};

/** How many of a tenant and of one caller may wait without a turn; those beyond wait with theirs. */
const MAX_WITHOUT_TURN = { ofTenant: 16, ofCaller: 12 };

/** How long a statement is expected to take. */
export class Pace {
  #ms = Number.POSITIVE_INFINITY;

  /** In milliseconds; infinite until it has run. */
  get expectedMs(): number {
    return this.#ms;
  }

  /** A slower run counts little, as more often than not the machine did something else meanwhile. */
  note(ms: number): void {
    this.#ms = Math.min(ms, this.#ms * 1.05);
  }
}

/** A read that goes together with others where it is known to be quick. */
export interface MaybeQuick {
  /** With whose reads. */
  readonly tenant: string;
  readonly pace: Pace;
  /** Called when it waits for its batch, and needs no turn among requests. */
  readonly endTurn?: () => void;
}

export interface QuickReads {
  /** The rows, by way of a batch; null if the read is not known to be quick, or may not go together. */
  join(statement: ScopedStatement, options: ReadOptions): Promise<Rows['rows']> | null;
  /** How many wait for a batch. */
  waiting(): number;
}

/** What the reader does for each of its reads. */
export interface QuickReadsDeps {
  /** How long a read may take from its turn on, in milliseconds. */
  readonly timeoutMs: number;
  readonly statements: StatementRunner;
  readonly withClient: (options: ReadOptions, work: (client: PoolClient) => Promise<void>) => Promise<void>;
  readonly bounded: (client: PoolClient, running: Promise<unknown>, deadline: number) => Promise<unknown>;
  readonly readAlone: (statement: ScopedStatement, options: ReadOptions) => Promise<Rows['rows']>;
}

interface QuickRead extends Piece {
  readonly statement: ScopedStatement;
  readonly pace: Pace;
  readonly options: ReadOptions;
  readonly arrivedAt: number;
  /** Once it has been sent: the wait for its batch does not count. */
  deadline: number;
  /** Whether it is still to be answered, or asked again. */
  isOpen: boolean;
  /** Nothing, where it is not. */
  readonly answer: (rows: Rows['rows'] | Promise<Rows['rows']>) => void;
  readonly fail: (error: unknown) => void;
}

export function makeQuickReads({
  timeoutMs,
  statements,
  withClient,
  bounded,
  readAlone,
}: QuickReadsDeps): QuickReads {
  const batches = new Batches<QuickRead>(LIMITS, async (tenant, take) => {
    let sent: readonly QuickRead[] | null = null;
    try {
      await withClient({ onBehalfOf: `quick reads of ${tenant}` }, async (client) => {
        sent = take();
        await runOn(client, sent);
      });
    } catch (error) {
      // Without a turn or a connection nothing was taken.
      if (sent === null) {
        for (let reads = take(); reads.length > 0; reads = take()) failAll(reads, error);
      } else if (isDatabaseUnavailable(error)) failAll(sent, error);
      else askAgain(sent);
    }
  });

  /** Together, but for those that the connection has yet to prepare. */
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
      await bounded(client, running, end);
    } finally {
      const ms = performance.now() - sentAt;
      // Which of them took the time is not known: of those that are not through, any may have.
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
      // What is prepared is remembered by connection with its message, which has no values.
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
