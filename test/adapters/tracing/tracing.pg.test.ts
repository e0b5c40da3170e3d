/** Traces as a collector gets them: a request with its statements, a mail, and nothing of a tenant. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compose } from 'fleetsift';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startTracing, type Tracing } from '#adapters/tracing/tracing.ts';
import { aDevice, anApiKey, newId } from '#test/support/builders.ts';
import { createMigratedDatabase } from '#test/support/database/fresh-database.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

const received: string[] = [];
const collector = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    received.push(`${request.method} ${request.url} ${body}`);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
});

/** Log lines, with the trace ids that each would have. */
const logged: object[] = [];
const note = (facts: object) => void logged.push({ ...facts, ...tracing.traceIds() });

const driver = Client.prototype.query;
let tracing: Tracing;
let service: Awaited<ReturnType<typeof compose>>;
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  tracing = startTracing({ endpoint: `http://127.0.0.1:${port}`, version: '1.2.3', instance: 'host:1' });
  database = await createMigratedDatabase(inject('databaseUrl'), inject('templateDatabase'));
  service = await compose(
    {
      ...{ databaseUrl: database.url, migrate: true, filterTimeoutMs: 10_000, trustedProxies: [] },
      logLevel: 'silent',
      tracing,
    },
    { log: { debug: note, info: note, warn: note, error: note } },
  );
});

afterAll(async () => {
  await service.close();
  await database.drop();
  collector.close();
});

test('a collector gets requests with their statements, and mails', async () => {
  const tenant = await createTenant(service.backend);
  const key = anApiKey({ userId: tenant.userId });
  await loadFleet(service.backend, [key, aDevice({ orgId: tenant.orgId, hostname: 'canary-host' })]);
  const conditions = {
    operator: 'AND',
    conditions: [{ field: 'hostname', operator: 'equals', value: 'canary-host' }],
  };
  const requestIds = ['request-1', 'request-2', 'request-3'];
  // The statements run unprepared at first, then are prepared, and then run as prepared statements.
  for (const requestId of requestIds) {
    const answer = await service.app.request('/api/v1/filters/preview', {
      method: 'POST',
      headers: {
        'X-API-Key': key.key,
        'Content-Type': 'application/json',
        'X-Request-Id': requestId,
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      },
      body: JSON.stringify({ conditions }),
    });
    expect(answer.status).toBe(200);
  }
  await service.app.request('/canary-path');
  await service.app.request('/readyz');
  const send = tracing.traceMails(async () => ({
    result: 'deferred',
    problem: 'canary',
    code: '450 RCPT TO',
  }));
  const mail = { id: newId<'mail'>(), email: 'canary@example.com', queuedAt: 0 };
  await send(
    { ...mail, subject: 'canary', text: 'canary', html: 'canary' } as never,
    AbortSignal.timeout(1_000),
  );
  await tracing.shutdown();

  const spans = received.flatMap(spansOf);
  const requests = spans.filter(({ name }) => name === 'POST /api/v1/filters/preview');
  expect(requests).toHaveLength(requestIds.length);
  for (const [i, request] of requests.entries()) {
    expect(request).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      kind: 2,
    });
    expect(request.attributes).toStrictEqual(
      expect.arrayContaining([
        { key: 'http.route', value: { stringValue: '/api/v1/filters/preview' } },
        { key: 'http.response.status_code', value: { intValue: 200 } },
        { key: 'fleetsift.request_id', value: { stringValue: requestIds[i] } },
      ]),
    );
    expect(logged).toContainEqual(
      expect.objectContaining({
        requestId: requestIds[i],
        trace_id: request.traceId,
        span_id: request.spanId,
      }),
    );
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
    // The preview, which also counts if the server plans that well, and its entry in the audit log.
    expect(statements.map(({ name }) => name)).toStrictEqual(
      expect.arrayContaining([expect.stringMatching(/^(SELECT|WITH)$/), 'INSERT']),
    );
    for (const { traceId, attributes } of statements) {
      expect(traceId).toBe(request.traceId);
      expect(attributes).toContainEqual({ key: 'db.system.name', value: { stringValue: 'postgresql' } });
    }
  }
  expect(spans.find(({ name }) => name === 'send mail')).toMatchObject({
    kind: 3,
    status: { code: 2, message: '450 RCPT TO' },
  });
  expect(spans.map(({ name }) => name)).toContain('GET');
  expect(received.join()).not.toContain('/readyz');
  expect(received.join()).toContain('{"key":"service.instance.id","value":{"stringValue":"host:1"}}');
  expect(tracing.traceIds()).toBeUndefined();

  expect(received.join()).toContain('POST /v1/traces ');
  expect(received.join()).not.toContain('canary');
  expect(received.join()).not.toContain(tenant.orgId);
  expect(received.join()).not.toContain(tenant.userId);
});

test('the driver is restored once tracing has ended', () => {
  expect(Client.prototype.query).toBe(driver);
});

function spansOf(sent: string): readonly SentSpan[] {
  const { resourceSpans } = JSON.parse(sent.slice(sent.indexOf('{')));
  return resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: SentSpan[] }[] }) =>
    scopeSpans.flatMap(({ spans }) => spans),
  );
}
