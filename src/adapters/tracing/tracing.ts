/**
 * OpenTelemetry spans (Contract: §15). They contain no address, tenant id or statement text, because statements
 * contain values.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { Client, Pool } from 'pg';
import type { MailSender } from '#application/ports/mail/mail-sender.ts';

export interface TracingOptions {
  /** The collector's URL, without `/v1/traces`. */
  readonly endpoint: string;
  readonly version: string;
  readonly instance: string;
}

export interface TracedRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly requestId: string;
}

export interface TracedAnswer {
  /** The pattern as registered; null if no route matched. */
  readonly route: string | null;
  readonly status: number;
}

export interface Tracing {
  /** Continues the trace in the `traceparent` header, if present. */
  traceRequest(request: TracedRequest, answer: () => Promise<TracedAnswer>): Promise<void>;
  traceMails(send: MailSender): MailSender;
  /** For log lines (OpenTelemetry, "Trace Context in non-OTLP Log Formats"). */
  traceIds(): { readonly trace_id: string; readonly span_id: string } | undefined;
  shutdown(): Promise<void>;
}

/** Call once per process, because it wraps the driver. */
export function startTracing({ endpoint, version, instance }: TracingOptions): Tracing {
  const resource = resourceFromAttributes({
    'service.name': 'fleetsift',
    'service.version': version,
    'service.instance.id': instance,
  });
  const provider = new TracerProvider({
    // Merged last, so OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    resource: resource.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) }),
    ],
  });
  const tracer = provider.getTracer('fleetsift');
  const propagator = new W3CTraceContextPropagator();
  const active = new AsyncLocalStorage<Context>();
  const within = async (span: Span, parent: Context, work: () => Promise<void>): Promise<void> => {
    try {
      await active.run(trace.setSpan(parent, span), work);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
  const stopStatements = traceStatements(tracer, () => active.getStore());
  return {
    traceRequest: async ({ method, headers, requestId }, answer) => {
      const parent = propagator.extract(ROOT_CONTEXT, headers, HEADERS);
      const attributes = { 'http.request.method': method, 'fleetsift.request_id': requestId };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      await within(span, parent, async () => {
        const { route, status } = await answer();
        if (route !== null) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
        span.setAttribute('http.response.status_code', status);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      });
    },
    traceMails: (send) => async (mail, signal) => {
      const span = tracer.startSpan('send mail', { kind: SpanKind.CLIENT }, ROOT_CONTEXT);
      try {
        const outcome = await send(mail, signal);
        span.setAttribute('fleetsift.mail.result', outcome.result);
        if (outcome.result !== 'sent') span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.code });
        return outcome;
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    traceIds: () => {
      const span = trace.getSpan(active.getStore() ?? ROOT_CONTEXT)?.spanContext();
      return span && { trace_id: span.traceId, span_id: span.spanId };
    },
    shutdown: async () => {
      stopStatements();
      await provider.shutdown();
    },
  };
}

const HEADERS = {
  keys: (headers: Headers) => [...headers.keys()],
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
};

type Callback = (error: unknown, ...rest: unknown[]) => unknown;

interface Driver {
  query(...sent: unknown[]): unknown;
  connect(callback?: Callback): unknown;
}

/** Wraps the driver and returns a function that restores it. Statements outside requests get no span. */
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

  // Unbound, a callback would run in the context of the request that frees the connection. Bound, it stays in
  // the trace of the request that waited.
  pool.connect = function (this: Driver, callback) {
    return callback === undefined ? connect.call(this) : connect.call(this, AsyncResource.bind(callback));
  };

  return () => {
    client.query = query;
    pool.connect = connect;
  };
}

/**
 * Waits for the promise `running` or, in a query object, for the promise `result`. A stream counts as done
 * once it is sent.
 */
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

/** Only the first word, because the rest of a statement may contain values. */
function operationOf(sent: unknown): string {
  const text = typeof sent === 'string' ? sent : (sent as { readonly text?: unknown } | null)?.text;
  const word = typeof text === 'string' ? /^\s*\(*\s*([a-z]{1,20})\b/i.exec(text)?.[1] : undefined;
  return word === undefined ? 'STATEMENT' : word.toUpperCase();
}
