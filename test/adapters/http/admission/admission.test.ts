/** When a share is used up, the caller and their colleagues may be refused, but another tenant never. */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WORK_KINDS } from '#adapters/http/admission/work-kinds.ts';
import { type RunningServer, serveApp } from '#adapters/http/serve.ts';
import { DEFAULT_BUDGETS, type RequestBudgets } from '#application/admission/request-budgets.ts';
import { FILTER_NOT_FOUND, ORGANIZATION_NOT_FOUND } from '#application/application-error.ts';
import type { ExportDevices } from '#application/devices/export-devices.ts';
import type { TakeInventory } from '#application/inventory/take-inventory.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { OrgId, PartnerId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import { aCaller, orgScope, partnerScope } from '#test/support/builders.ts';
import { AMPLE_BUDGETS, SINGLE_BUDGETS } from '#test/support/http/budgets.ts';
import {
  API_KEY_ID,
  type FakeHttp,
  FILTER,
  FILTER_ID,
  FILTER_URL,
  fakeHttp,
  ORG_ID,
  USER,
  withJson,
} from '#test/support/http/http-fakes.ts';
import { makeMemoryAuth } from '#test/support/http/memory-auth.ts';
import { connectRaw } from '#test/support/http/raw-client.ts';

const started: RunningServer[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close(0)));
});

const PARTNER = '0196f000-0000-7000-8000-0000000000d1' as PartnerId;
const OTHER_ORG = '0196f000-0000-7000-8000-00000000000b' as OrgId;

/** Callers by their access tokens. */
const PEOPLE: Readonly<Record<string, Caller>> = {
  same: USER,
  colleague: aCaller({ scope: orgScope(ORG_ID) }),
  'key-of-same': { ...USER, credential: { kind: 'api-key', apiKeyId: API_KEY_ID } },
  stranger: aCaller({ scope: orgScope(OTHER_ORG) }),
  partner: aCaller({ scope: partnerScope(PARTNER, [ORG_ID]) }),
  platform: aCaller({ scope: { kind: 'system' } }),
};

const as = (name: string) => ({ Authorization: `Bearer ${name}` });

function start(budgets: RequestBudgets) {
  const exportDevices = vi.fn<ExportDevices>(async () => err(FILTER_NOT_FOUND));
  const takeInventory = vi.fn<TakeInventory>(async () => err(ORGANIZATION_NOT_FOUND));
  const http = { ...fakeHttp({ budgets, exportDevices, takeInventory }), exportDevices, takeInventory };
  http.verifyAccessToken.mockImplementation(async (token) => PEOPLE[token] ?? null);
  return http;
}

/** A request to every route that has a handler, with a body where it takes one. */
function requestsOf(app: ReturnType<typeof start>['app']) {
  const routes = new Set(
    app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`),
  );
  return [...routes].map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return { route, method, path: path.replace(/:\w+/g, FILTER_ID) };
  });
}

const PROBES = new Set([
  'GET /healthz',
  'GET /readyz',
  'GET /.well-known/jwks.json',
  'GET /api/v1/openapi.json',
  'GET /docs',
]);
/** Floods of machines, which have their own keys, are in `test/api/inventory/floods.both.test.ts`. */
const OF_MACHINES = new Set(['POST /inventory', 'GET /inventory']);
const PUBLIC = new Set(
  [
    ...['POST login', 'POST refresh', 'POST logout', 'POST passkey/options'],
    ...['POST session', 'POST session/refresh', 'DELETE session'],
    ...['GET first-run', 'POST invitation', 'POST invitation/accept'],
    ...['POST password-reset', 'POST password-reset/confirm'],
    ...['GET oidc/start', 'GET oidc/callback', 'GET oidc/callback/:id'],
  ].map((route) => route.replace(' ', ' /api/v1/auth/')),
);

const ROUTES = requestsOf(start(AMPLE_BUDGETS).app);

test('every kind of work belongs to a route that exists', () => {
  expect(ROUTES.map(({ route }) => route)).toEqual(expect.arrayContaining(Object.keys(WORK_KINDS)));
});

test('a call that has ended its turn makes room for the next before it is answered', async () => {
  const http = start(SINGLE_BUDGETS);
  const { promise: recorded, resolve: record } = Promise.withResolvers<void>();
  const preview = () => http.app.request(`${FILTER_URL}/preview`, { method: 'POST', headers: as('same') });
  http.filters.previewFilter.mockImplementationOnce(async (call) => {
    call.endTurn?.();
    await recorded;
    return ok({ totalCount: 0, devices: [], evaluatedAt: 0 });
  });
  const waiting = preview();
  await vi.waitFor(async () => expect((await preview()).status).not.toBe(429));
  record();
  expect((await waiting).status).toBe(200);
});

test('slow evaluations of one organization leave a core to others', async () => {
  const slow = { afterMs: 0, allowanceMs: 1_000, perTenant: 1 };
  const http = start({
    ...AMPLE_BUDGETS,
    evaluation: { ...DEFAULT_BUDGETS.evaluation, slow },
  });
  const held: (() => void)[] = [];
  http.filters.previewFilter.mockImplementation(async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    return ok({ totalCount: 0, devices: [], evaluatedAt: 0 });
  });
  const preview = (name: string) =>
    http.app.request(`${FILTER_URL}/preview`, { method: 'POST', headers: as(name) });
  const flood = ['same', 'colleague'].flatMap((name) => [name, name, name].map(preview));
  // It is not known yet that they are slow.
  await vi.waitFor(() => expect(held).toHaveLength(6));
  // The six together exceed the allowance.
  await setTimeout(250);
  const more = ['same', 'colleague', 'same'].map(preview);
  for (const end of held.splice(0)) end();
  await Promise.all(flood);
  await vi.waitFor(() => expect(held).toHaveLength(1));
  const others = [preview('stranger'), preview('platform')];
  await vi.waitFor(() => expect(held).toHaveLength(3));
  while (more.length > 0) {
    await vi.waitFor(() => expect(held.length).toBeGreaterThan(0));
    for (const end of held.splice(0)) end();
    await more.shift();
    // Wait until the next one has begun.
    await vi.waitFor(() => expect(held).toHaveLength(Math.min(1, more.length)));
  }
  expect((await Promise.all(others)).map(({ status }) => status)).toStrictEqual([200, 200]);
});

test('slow exports of one organization leave a core to others', async () => {
  const slow = { afterMs: 0, allowanceMs: 1_000, perTenant: 1 };
  const http = start({
    ...AMPLE_BUDGETS,
    evaluation: { ...DEFAULT_BUDGETS.evaluation, slow },
  });
  const held: (() => void)[] = [];
  const hold = () => new Promise<void>((resolve) => held.push(resolve));
  http.exportDevices.mockImplementation(async (call) => {
    await call.asEvaluation?.(hold, new AbortController().signal);
    return err(FILTER_NOT_FOUND);
  });
  http.filters.previewFilter.mockImplementation(async () => {
    await hold();
    return ok({ totalCount: 0, devices: [], evaluatedAt: 0 });
  });
  const post = (path: string, name: string) => http.app.request(path, withJson('POST', {}, as(name)));
  const exported = (name: string) => post('/api/v1/devices/export', name);
  const flood = ['same', 'same', 'same', 'colleague', 'colleague', 'colleague'].map(exported);
  await vi.waitFor(() => expect(held).toHaveLength(6));
  // The six together exceed the allowance.
  await setTimeout(250);
  const more = [exported('same'), post(`${FILTER_URL}/preview`, 'colleague')];
  for (const end of held.splice(0)) end();
  await Promise.all(flood);
  await vi.waitFor(() => expect(held).toHaveLength(1));
  const others = [exported('stranger'), post(`${FILTER_URL}/preview`, 'platform')];
  await vi.waitFor(() => expect(held).toHaveLength(3));
  for (const end of held.splice(0)) end();
  await Promise.all(others);
  await vi.waitFor(() => expect(held).toHaveLength(1));
  for (const end of held.splice(0)) end();
  await Promise.all(more);
});

test('an export that has waited long enough may exceed its share, and gives back only what it took', async () => {
  const http = start({ ...SINGLE_BUDGETS, export: AMPLE_BUDGETS.export });
  const held: (() => void)[] = [];
  http.exportDevices.mockImplementation(async (call) => {
    await call.asEvaluation?.(
      () => new Promise<void>((resolve) => held.push(resolve)),
      new AbortController().signal,
    );
    return err(FILTER_NOT_FOUND);
  });
  const exported = () => http.app.request('/api/v1/devices/export', withJson('POST', {}, as('same')));
  const preview = () => http.app.request(`${FILTER_URL}/preview`, withJson('POST', {}, as('same')));
  const both = [exported(), exported()];
  await vi.waitFor(() => expect(held).toHaveLength(2));
  expect((await preview()).status).toBe(429);
  held.shift()?.();
  await Promise.race(both);
  expect((await preview()).status).toBe(429);
  held.shift()?.();
  await Promise.all(both);
  expect((await preview()).status).not.toBe(429);
});

describe('while a budget is used up', () => {
  const init = (method: string, name: string): RequestInit =>
    method === 'POST' || method === 'PATCH' ? withJson(method, {}, as(name)) : { method, headers: as(name) };

  /** Takes the turns of every kind with requests of this person that do not end. */
  async function exhaust(http: ReturnType<typeof start>, name: string) {
    const forever = new Promise<never>(() => undefined);
    const begun: Promise<void>[] = [];
    const hold = (mock: { mockImplementationOnce(hold: () => Promise<never>): unknown }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      mock.mockImplementationOnce(() => {
        resolve();
        return forever;
      });
      begun.push(promise);
    };
    hold(http.filters.previewFilter);
    hold(http.filters.listFields);
    hold(http.search);
    hold(http.exportDevices);
    hold(http.takeInventory);
    void http.app.request(`${FILTER_URL}/preview`, { method: 'POST', headers: as(name) });
    void http.app.request('/api/v1/filters/fields', { headers: as(name) });
    void http.app.request('/api/v1/search?q=a', { headers: as(name) });
    void http.app.request('/api/v1/devices/export', withJson('POST', {}, as(name)));
    void http.app.request('/api/v1/inventory', withJson('POST', {}, as(name)));
    await Promise.all(begun);
  }

  const known = ROUTES.filter(
    ({ route }) => !PROBES.has(route) && !OF_MACHINES.has(route) && !PUBLIC.has(route),
  );

  test.each(known)('by the same caller, $route is 429 with Retry-After', async ({ method, path }) => {
    const http = start(SINGLE_BUDGETS);
    await exhaust(http, 'same');
    for (const name of ['same', 'colleague', 'key-of-same']) {
      const response = await http.app.request(path, init(method, name));
      expect([response.status, response.headers.get('Retry-After')]).toStrictEqual([429, '2']);
      expect(await response.json()).toMatchObject({ code: 'rate_limited' });
    }
  });

  test.each(known)('by another tenant, $route is served', async ({ method, path }) => {
    for (const name of ['stranger', 'partner', 'platform']) {
      const http = start(SINGLE_BUDGETS);
      await exhaust(http, 'same');
      const response = await http.app.request(path, init(method, name));
      expect([429, 503]).not.toContain(response.status);
    }
  });

  test.each([...PROBES].map((route) => route.slice(4)))('%s is still answered', async (path) => {
    const http = start(SINGLE_BUDGETS);
    await exhaust(http, 'same');
    await exhaust(http, 'stranger');
    expect((await http.app.request(path)).status).toBe(200);
  });

  test('only the refused request is logged', async () => {
    const http = start(SINGLE_BUDGETS);
    await exhaust(http, 'same');
    await http.app.request(FILTER_URL, { headers: as('colleague') });
    expect(http.lines.map(({ facts }) => facts)).toMatchObject([
      { status: 429, route: '/api/v1/filters/:id' },
    ]);
  });
});

describe('sign-ins from one site', () => {
  const LOGIN = '/api/v1/auth/login';

  async function signInFrom({ app }: Pick<FakeHttp, 'app'>, remoteAddress: string) {
    const incoming = { socket: { remoteAddress } } as never;
    const body = JSON.stringify({ email: 'a@example.com', password: 'x' });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    return (await app.request(LOGIN, { method: 'POST', headers, body }, { incoming })).status;
  }

  test.each([
    ['198.51.100.7', '198.51.100.8', '198.51.101.7'],
    ['2001:db8:1:2::7', '2001:db8:1:3::7', '2001:db8:2:2::7'],
    ['2001:db8::7', '2001:db8:0:0:1::1', '2001:db8:1::7'],
    ['::1', '0:0:0:0:5::', '1::'],
  ])('at %s use up the share of %s, but not of %s', async (flood, same, other) => {
    const signIn = vi.fn(() => new Promise<never>(() => undefined));
    const http = fakeHttp({
      budgets: { ...SINGLE_BUDGETS, 'sign-in': { ...SINGLE_BUDGETS['sign-in'], total: 3 } },
      auth: { ...makeMemoryAuth().auth, signIn },
    });
    void signInFrom(http, flood);
    await vi.waitUntil(() => signIn.mock.calls.length === 1);
    expect(await signInFrom(http, same)).toBe(429);
    void signInFrom(http, other);
    await vi.waitUntil(() => signIn.mock.calls.length === 2);
  });
});

describe('bytes in flight', () => {
  async function serve(budgets: RequestBudgets) {
    const http = start(budgets);
    const server = await serveApp(http.app, { host: '127.0.0.1', port: 0 });
    started.push(server);
    return { ...http, url: server.url };
  }

  const BYTES: RequestBudgets = {
    ...AMPLE_BUDGETS,
    bytes: { ...AMPLE_BUDGETS.bytes, total: 30_000_000, perTenant: 1_000_000, perCaller: 1_000_000 },
  };

  test('of an answer that its caller does not read count against the tenant, but not against others', async () => {
    const { url, filters } = await serve(BYTES);
    filters.readFilter.mockResolvedValue(ok({ ...FILTER, name: 'x'.repeat(20_000_000) }));
    const client = await connectRaw(url);
    client.send(`GET ${FILTER_URL} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer same\r\n\r\n`);
    await once(client.socket, 'data');
    client.socket.pause();
    const ask = async (name: string) =>
      (await fetch(`${url}/api/v1/filters/fields`, { headers: as(name) })).status;
    expect([await ask('same'), await ask('colleague'), await ask('stranger')]).toStrictEqual([429, 429, 200]);
    client.socket.resume();
    expect((await client.answered()).status).toBe(200);
    await vi.waitUntil(async () => (await ask('same')) === 200, { timeout: 25_000, interval: 5 });
    client.socket.destroy();
  });

  test('of bodies that are being sent count against the tenant, and take no turn', async () => {
    const { url } = await serve({ ...BYTES, evaluation: SINGLE_BUDGETS.evaluation });
    const head = `POST /api/v1/filters/preview HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    const client = await connectRaw(url);
    client.send(`${head}Authorization: Bearer same\r\nContent-Length: 999990\r\n\r\n{`);
    const preview = async (name: string) => {
      const body = JSON.stringify({ conditions: {}, x: 'x'.repeat(100) });
      const headers = { ...as(name), 'Content-Type': 'application/json' };
      return (await fetch(`${url}/api/v1/filters/preview`, { method: 'POST', headers, body })).status;
    };
    await vi.waitUntil(async () => (await preview('same')) === 429, { timeout: 25_000, interval: 5 });
    expect([await preview('colleague'), await preview('stranger')]).toStrictEqual([429, 200]);
    client.socket.destroy();
    await vi.waitUntil(async () => (await preview('same')) === 200, { timeout: 25_000, interval: 5 });
  });
});

test('an export keeps its turn until its client has read it or left, and blocks no other work', async () => {
  const endless = async function* () {
    for (;;) yield 'x'.repeat(100_000);
  };
  const exportDevices: ExportDevices = async () =>
    ok({ format: 'csv', pieces: endless(), rowCount: () => 0 });
  const http = fakeHttp({ budgets: { ...AMPLE_BUDGETS, export: SINGLE_BUDGETS.export }, exportDevices });
  http.verifyAccessToken.mockImplementation(async (token) => PEOPLE[token] ?? null);
  const server = await serveApp(http.app, { host: '127.0.0.1', port: 0 });
  started.push(server);
  const controller = new AbortController();
  const ask = async (name: string, signal: AbortSignal | null = null) => {
    const init = withJson('POST', {}, as(name));
    return fetch(`${server.url}/api/v1/devices/export`, { ...init, signal });
  };
  const taken = await ask('same', controller.signal);
  expect(taken.status).toBe(200);
  expect([(await ask('same')).status, (await ask('colleague')).status]).toStrictEqual([429, 429]);
  const preview = await fetch(`${server.url}${FILTER_URL}/preview`, { method: 'POST', headers: as('same') });
  expect(preview.status).toBe(200);
  controller.abort();
  const next = new AbortController();
  await vi.waitUntil(async () => (await ask('same', next.signal)).status === 200, {
    timeout: 25_000,
    interval: 5,
  });
  next.abort();
});

test('a request that waits for its turn gets it when the one before has ended', async () => {
  const http = start({
    ...SINGLE_BUDGETS,
    evaluation: {
      ...SINGLE_BUDGETS.evaluation,
      maxWaitingPerCaller: 5,
      maxWaitingPerTenant: 5,
      maxWaitMs: 60_000,
    },
  });
  const order: string[] = [];
  const preview = { totalCount: 0, devices: [], evaluatedAt: 0 };
  const first = Promise.withResolvers<void>();
  http.filters.previewFilter.mockImplementation(async ({ caller }) => {
    order.push(`${caller.userId === USER.userId ? 'same' : 'other'} begins`);
    if (order.length === 1) await first.promise;
    return ok(preview);
  });
  const ask = (name: string) =>
    http.app.request(`${FILTER_URL}/preview`, { method: 'POST', headers: as(name) });
  const answers = [ask('same'), ask('same'), ask('colleague')];
  await vi.waitUntil(() => order.length > 0);
  expect((await ask('stranger')).status).toBe(200);
  first.resolve();
  expect((await Promise.all(answers)).map(({ status }) => status)).toStrictEqual([200, 200, 200]);
  expect(order[0]).toBe('same begins');
});

test('a client that hangs up while it waits is forgotten', async () => {
  const http = start({
    ...SINGLE_BUDGETS,
    evaluation: {
      ...SINGLE_BUDGETS.evaluation,
      maxWaitingPerCaller: 5,
      maxWaitingPerTenant: 5,
      maxWaitMs: 60_000,
    },
  });
  const entered = Promise.withResolvers<void>();
  http.filters.previewFilter.mockImplementation(() => {
    entered.resolve();
    return new Promise<never>(() => undefined);
  });
  const ask = (signal?: AbortSignal) =>
    http.app.request(`${FILTER_URL}/preview`, {
      method: 'POST',
      headers: as('same'),
      ...(signal !== undefined && { signal }),
    });
  void ask();
  await entered.promise;
  const client = new AbortController();
  const waiting = ask(client.signal);
  await new Promise((resolve) => setImmediate(resolve));
  client.abort();
  expect((await waiting).status).toBe(499);
  expect(http.filters.previewFilter).toHaveBeenCalledTimes(1);
});
