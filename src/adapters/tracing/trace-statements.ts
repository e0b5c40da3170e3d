/** Traces statements by wrapping the PostgreSQL driver. */
import { AsyncResource } from 'node:async_hooks';
import { type Context, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { Client, Pool } from 'pg';

type Callback = (error: unknown, ...rest: unknown[]) => unknown;

interface Driver {
  query(...sent: unknown[]): unknown;
  connect(callback?: Callback): unknown;
}

/**
 * Returns a function that restores the driver. Statements outside requests, such as the worker's polls, get no span.
 */
export function traceStatements(tracer: Tracer, activeContext: () => Context | undefined): () => void {
  const client = Client.prototype as unknown as Driver;
  const pool = Pool.prototype as unknown as Driver;
  const { query } = client;
  const { connect } = pool;

  client.query = function (this: Driver, ...sent) {
    const parent = activeContext();
    if (parent === undefined) return query.apply(this, sent);
    const name = operationOf(sent[0]);
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name };
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    const callback = sent.at(-1);
    if (typeof callback === 'function') {
      sent[sent.length - 1] = (...outcome: Parameters<Callback>) => {
        end(span, outcome[0]);
        return callback(...outcome);
      };
      return query.apply(this, sent);
    }
    const running = query.apply(this, sent);
    void whenDone(running).then(
      () => end(span, null),
      (error) => end(span, error),
    );
    return running;
  };

  // A waiting caller is called back by the one that frees a connection, and must not continue in its trace.
  pool.connect = function (this: Driver, callback) {
    return callback === undefined ? connect.call(this) : connect.call(this, AsyncResource.bind(callback));
  };

  return () => {
    client.query = query;
    pool.connect = connect;
  };
}

/** A query object has a promise of its own; a stream counts until it is sent. */
function whenDone(running: unknown): Promise<unknown> {
  const result = (running as { readonly result?: unknown } | undefined)?.result;
  return Promise.resolve(result instanceof Promise ? result : running);
}

function end(span: Span, error: unknown): void {
  if (error !== null && error !== undefined) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    span.setStatus({ code: SpanStatusCode.ERROR, message: code });
  }
  span.end();
}

/** The first word, such as SELECT; the rest of a statement may contain values. */
function operationOf(sent: unknown): string {
  const text = typeof sent === 'string' ? sent : (sent as { readonly text?: unknown } | null)?.text;
  const word = typeof text === 'string' ? /^\s*\(*\s*([a-z]{1,20})\b/i.exec(text)?.[1] : undefined;
  return word === undefined ? 'STATEMENT' : word.toUpperCase();
}
