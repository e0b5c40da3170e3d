/**
 * OpenTelemetry spans of requests, statements and mails (Contract: §15). Spans contain no statement text, address or
 * tenant id, because statements contain values.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { MailSender } from '#application/ports/mail/mail-sender.ts';
import { traceStatements } from './trace-statements.ts';

export interface TracingOptions {
  /** Without `/v1/traces`. */
  readonly endpoint: string;
  readonly version: string;
}

export interface TracedRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly requestId: string;
}

export interface TracedAnswer {
  /** As registered; null if no route matched. */
  readonly route: string | null;
  readonly status: number;
}

/** Sends the service's OpenTelemetry spans to a collector (Contract: §15). */
export interface Tracing {
  /** Answers within a span, which continues the trace of `traceparent` if present. */
  traceRequest(request: TracedRequest, answer: () => Promise<TracedAnswer>): Promise<void>;
  traceMails(send: MailSender): MailSender;
  /** Sends the remaining spans and stops tracing statements. */
  shutdown(): Promise<void>;
}

/** Once per process, because it wraps the driver. */
export function startTracing({ endpoint, version }: TracingOptions): Tracing {
  const resource = resourceFromAttributes({ 'service.name': 'fleetsift', 'service.version': version });
  const provider = new TracerProvider({
    // Last, so OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
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
