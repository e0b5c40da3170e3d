/** Streams one snapshot in batches, at the pace of the consumer. */
import { ReadRefused } from '#adapters/postgres/reads/running/read-refusal.ts';
import type { Row, ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import type { StatementForm } from '#adapters/postgres/reads/running/statement-runner.ts';
import { type CompiledFilter, filterToSql } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { NO_TITLES, titleLookups } from '#adapters/postgres/reads/sql/conditions/software.ts';
import { ScopedStatement } from '#adapters/postgres/reads/sql/scoped-statement.ts';
import { type MatchRequest, MatchStreamError } from '#application/ports/filters/device-matcher.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { readOptions, resolveTitles } from './match-options.ts';

export interface CursorStream<R extends Row, T> {
  readonly declare: (filter: CompiledFilter) => ScopedStatement;
  readonly toItem: (row: R) => T;
  readonly batchSize: number;
  readonly form?: StatementForm;
  /**
   * Limits the time to the first row, and puts that row into a separate batch. Waiting for a turn does not
   * count. The reader's limit applies to each later batch.
   */
  readonly firstRowMs?: number;
}

/** Throws refusals as `MatchStreamError`. A consumer that stops taking batches does not hold the connection. */
export async function* streamCursor<R extends Row, T>(
  reader: ScopedReader,
  request: MatchRequest,
  { declare, toItem, batchSize, form = {}, firstRowMs }: CursorStream<R, T>,
): AsyncGenerator<readonly T[]> {
  const root = simplifyConditions(request.filter);
  const lookups = titleLookups(root);
  // The stream passes on a batch only when the consumer asks for it.
  const { promise: started, resolve: start } =
    Promise.withResolvers<TransformStreamDefaultController<readonly T[]>>();
  const toConsumer = new TransformStream<readonly T[], readonly T[]>(
    { start },
    { highWaterMark: 1 },
    { highWaterMark: 0 },
  );
  const writer = toConsumer.writable.getWriter();
  const left = new AbortController();
  const signal = request.signal === undefined ? left.signal : AbortSignal.any([request.signal, left.signal]);
  const { asEvaluation = atOnce } = request;
  let hasBegun = false;
  const pumping = reader
    .inSnapshot({ ...readOptions(request), signal, isRepeatable: () => !hasBegun }, async (session) => {
      let isOver = false;
      /** When `work` gets its turn, the stream may be over and another read may have the connection. */
      const evaluate = <Q>(work: () => Promise<Q>) =>
        asEvaluation(async () => {
          if (isOver) throw new ReadRefused({ kind: 'cancelled' });
          return work();
        }, signal);
      const begin = async (): Promise<readonly R[] | null> => {
        const first = firstRowMs === undefined ? {} : { deadline: performance.now() + firstRowMs };
        const titleIds =
          lookups === null ? NO_TITLES : await resolveTitles(session, request.scope, lookups, first);
        await session.query(declare(filterToSql(root, { at: request.at, titleIds })), first);
        return firstRowMs === undefined ? null : session.query<R>(FIRST, { ...form, ...first });
      };
      const hand = async (rows: readonly R[]) => {
        hasBegun = true;
        await writer.ready;
        await writer.write(rows.map(toItem));
      };
      const next = ScopedStatement.next(batchSize);
      const fetch = () => {
        const fetching = evaluate(() => session.query<R>(next, form));
        // Prevents an unhandled rejection if the previous batch cannot be delivered.
        fetching.catch(() => undefined);
        return fetching;
      };
      try {
        const firstRows = await evaluate(begin);
        if (firstRows?.length === 0) return;
        if (firstRows !== null) await hand(firstRows);
        // PostgreSQL prepares the next batch while the consumer handles this one.
        for (let fetching = fetch(); ; ) {
          const rows = await fetching;
          if (rows.length === 0) return;
          fetching = fetch();
          await hand(rows);
        }
      } finally {
        isOver = true;
      }
    })
    .then(
      () => writer.close(),
      (error: unknown) =>
        writer.abort(error instanceof ReadRefused ? new MatchStreamError(error.refusal) : error),
    );
  // Frees the connection even if the consumer stops reading without closing the stream.
  const controller = await started;
  const giveUp = () => controller.error(new MatchStreamError({ kind: 'cancelled' }));
  request.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    yield* toConsumer.readable as AsyncIterable<readonly T[]>;
  } finally {
    request.signal?.removeEventListener('abort', giveUp);
    left.abort();
    await pumping.catch(() => undefined);
  }
}

const FIRST = ScopedStatement.next(1);

function atOnce<T>(work: () => Promise<T>): Promise<T> {
  return work();
}
