/** BASE_URL with a path: API, pages, cookies and the addresses in answers are below it (Contract: §15). */

import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerWhileStarting } from '#adapters/http/answer/answer-malformed.ts';
import { basePathOf } from '#adapters/http/read/base-path.ts';
import { serveApp } from '#adapters/http/serve.ts';
import { addReporter, devicesOf, realInventory, send } from '#test/api/inventory/agents.ts';
import { startService } from '#test/api/service/service.ts';
import { aUser, ONLINE_CONDITIONS } from '#test/support/builders.ts';
import { FILTER_URL, fakeHttp, ORG_ID, withJson } from '#test/support/http/http-fakes.ts';
import { makeMemoryAuth } from '#test/support/http/memory-auth.ts';
import { loadFleet } from '#test/support/tenant.ts';

const baseUrl = 'https://portal.example/fleet';

const HTML = { 'Content-Type': 'text/html' };

const findPages = () => ({
  find: (path: string) => ({ status: 200 as const, body: new TextEncoder().encode(path), headers: HTML }),
  notFound: () => ({ status: 404 as const, body: new Uint8Array(), headers: HTML }),
});

const FILTER_BODY = { name: 'Idle', orgId: ORG_ID, conditions: ONLINE_CONDITIONS };

describe.each([
  ['as the client sent it', (path: string) => `/fleet${path}`],
  ['stripped by a proxy', (path: string) => path],
])('with the path %s', (_how, addressOf) => {
  const { app } = fakeHttp({ baseUrl, findPages });

  test.each(['/healthz', '/readyz', '/.well-known/jwks.json', '/docs', '/api/v1/openapi.json'])(
    '%s is answered',
    async (path) => {
      expect((await app.request(addressOf(path))).status).toBe(200);
    },
  );

  test.each(['/', '/devices/7', '/assets/app.js'])('the page %s is found', async (path) => {
    expect(await (await app.request(addressOf(path))).text()).toBe(path);
  });

  test('Location is the address where the client finds a created filter', async () => {
    const answer = await app.request(addressOf('/api/v1/filters'), withJson('POST', FILTER_BODY));
    expect(answer.headers.get('Location')).toBe(`/fleet${FILTER_URL}`);
  });

  test("a session's cookie is set for the path only, and cleared there", async () => {
    const { auth, backend } = makeMemoryAuth();
    const user = aUser({ password: 'correct horse battery', membership: { scope: 'system' } });
    await loadFleet(backend, [user]);
    const { app: own } = fakeHttp({ baseUrl, auth });
    const body = { email: user.email, password: 'correct horse battery' };
    const signedIn = await own.request(addressOf('/api/v1/auth/session'), withJson('POST', body));
    const cookie = signedIn.headers.get('Set-Cookie') ?? '';
    expect(cookie).toContain('; Path=/fleet/api/v1/auth/session;');
    const headers = { Cookie: cookie.split(';')[0] ?? '' };
    const ended = await own.request(addressOf('/api/v1/auth/session'), { method: 'DELETE', headers });
    expect(ended.headers.get('Set-Cookie')).toMatch(/=; Path=\/fleet\/api\/v1\/auth\/session; Max-Age=0;/);
  });

  test('an agent without a key is refused, and one with a key reports a machine', async () => {
    const service = await startService({ backend: 'memory', baseUrl });
    onTestFinished(() => service.close());
    const reporter = await addReporter(service);
    const refused = await send(service, realInventory(), {}, addressOf('/inventory'));
    expect([refused.status, refused.headers.get('WWW-Authenticate')]).toStrictEqual([
      401,
      expect.stringMatching(/^Basic /),
    ]);
    const { key } = reporter;
    const reported = await send(service, realInventory(), { key }, addressOf('/inventory'));
    expect([reported.status, reported.text]).toMatchObject([200, expect.anything()]);
    expect(await devicesOf(service, reporter)).toMatchObject([{ hostname: 'glpixps' }]);
  });

  test('the OpenAPI document and its page name the path', async () => {
    const document = await app.request(addressOf('/api/v1/openapi.json'));
    expect(await document.json()).toMatchObject({ servers: [{ url: '/fleet' }] });
    const page = await (await app.request(addressOf('/docs'))).text();
    expect(page).toContain('<a href="/fleet/api/v1/openapi.json">');
    expect(page).toContain('<code>/fleet/api/v1/filters</code>');
  });

  test('unknown addresses and methods are refused as without a base path', async () => {
    const { app: api } = fakeHttp({ baseUrl });
    expect((await api.request(addressOf('/nowhere'))).status).toBe(404);
    expect((await api.request(addressOf('/healthz'), { method: 'PUT' })).headers.get('Allow')).toBe(
      'GET, HEAD, OPTIONS',
    );
  });
});

test('a host can mount the service below the base path', async () => {
  const { app } = fakeHttp({ baseUrl, findPages });
  const host = new Hono();
  host.mount('/fleet', app.fetch);
  expect(await (await host.request('/fleet/devices')).text()).toBe('/devices');
  const created = await host.request('/fleet/api/v1/filters', withJson('POST', FILTER_BODY));
  expect(created.headers.get('Location')).toBe(`/fleet${FILTER_URL}`);
});

test('a body reaches a mounted service over a socket, however long the credential takes to check', async () => {
  const { app, verifyAccessToken } = fakeHttp({ baseUrl });
  const verify = verifyAccessToken.getMockImplementation();
  verifyAccessToken.mockImplementation(async (...given) => {
    await sleep(50);
    return verify?.(...given) ?? null;
  });
  const host = new Hono<{ Bindings: HttpBindings }>();
  host.mount('/fleet', app.fetch, (c) => c.env);
  const server = await serveApp(host, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close(0));
  for (const size of [1, 200_000]) {
    const body = { ...FILTER_BODY, description: 'x'.repeat(size) };
    const created = await fetch(`${server.url}/fleet/api/v1/filters`, withJson('POST', body) as RequestInit);
    expect([size, created.status]).toStrictEqual([size, 201]);
  }
});

test('the base path matches whole segments only, and only once', async () => {
  const { app } = fakeHttp({ baseUrl });
  expect((await app.request('/fleet')).status).toBe(404);
  expect((await app.request('/fleets/healthz')).status).toBe(404);
  expect((await app.request('/fleet/fleet/healthz')).status).toBe(404);
});

test('a starting service is alive below a base path', async () => {
  expect(answerWhileStarting(new Request('http://localhost/fleet/healthz')).status).toBe(200);
  expect(answerWhileStarting(new Request('http://localhost/fleet/docs')).status).toBe(503);
});

test.each([
  [null, ''],
  ['https://portal.example', ''],
  ['https://portal.example/', ''],
  ['https://portal.example/fleet/', '/fleet'],
  ['https://portal.example/tools/fleet-1', '/tools/fleet-1'],
])('the base path of %s is "%s"', (url, path) => {
  expect(basePathOf(url)).toBe(path);
});

test.each(['/a;b', '/a b', '/a//b', '/%2e%2e/x%', '/ä'])('the base path %s is refused', (path) => {
  expect(() => basePathOf(`https://portal.example${path}`)).toThrow('may have letters, digits and - . _ ~');
});

test.each(['/api', '/api/v1', '/docs', '/inventory'])('%s is refused: the service uses it', (path) => {
  expect(() => fakeHttp({ baseUrl: `https://portal.example${path}` })).toThrow(
    `BASE_URL has the path ${path},`,
  );
});
