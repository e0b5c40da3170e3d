/** The server on a real socket: addresses, keep-alive, and closing without losses. */
import { once } from 'node:events';
import { connect, createServer, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bindServer, type RunningServer, type ServeOptions, serveApp } from '#adapters/http/serve.ts';
import { makeMetrics } from '#adapters/metrics/metrics.ts';
import { bindMetrics } from '#adapters/metrics/serve-metrics.ts';
import { ok } from '#domain/result.ts';
import { AMPLE_BUDGETS } from '#test/support/http/budgets.ts';
import {
  AS_USER,
  aProblem,
  FILTER,
  FILTER_BODY,
  FILTER_URL,
  fakeHttp,
  withJson,
} from '#test/support/http/http-fakes.ts';
import { connectRaw } from '#test/support/http/raw-client.ts';

const started: RunningServer[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close(0)));
});

async function serve(http = fakeHttp(), options: Partial<ServeOptions> = {}) {
  const server = await serveApp(http.app, { host: '127.0.0.1', port: 0, ...options });
  started.push(server);
  return { ...http, server, url: server.url };
}

/** A promise that a test settles, and one that tells when somebody waits for it. */
function gate<T>() {
  const entered = Promise.withResolvers<void>();
  const result = Promise.withResolvers<T>();
  return {
    entered: entered.promise,
    open: result.resolve,
    wait: (): Promise<T> => {
      entered.resolve();
      return result.promise;
    },
  };
}

const GET = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const AUTHORIZATION = `Authorization: ${AS_USER.Authorization}\r\n`;

/** More than the buffers of a connection hold. */
const LARGE_FILTER = { ...FILTER, name: 'x'.repeat(30_000_000) };

describe('a request over a socket', () => {
  test('is answered like one without a socket', async () => {
    const { url } = await serve();
    const response = await fetch(`${url}${FILTER_URL}`, { headers: AS_USER });
    expect([response.status, await response.json()]).toStrictEqual([200, FILTER_BODY]);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  test('brings its body and the address of its client', async () => {
    const { url, filters } = await serve();
    const response = await fetch(`${url}/api/v1/filters`, withJson('POST', { name: 'ä😀' }));
    expect(response.status).toBe(201);
    expect(filters.createFilter.mock.calls[0]).toStrictEqual([
      expect.objectContaining({ ip: '127.0.0.1' }),
      { name: 'ä😀', description: undefined, conditions: undefined, orgId: undefined, partnerId: undefined },
    ]);
  });

  test('may have a body of 1 MiB, in chunks or not, and not a byte more', async () => {
    const { url } = await serve();
    const ask = async (bytes: number, isChunked: boolean) => {
      const text = JSON.stringify({ name: 'x' }).padEnd(bytes);
      const body = isChunked ? new Blob([text]).stream() : text;
      const init = { ...withJson('POST', {}), body, duplex: 'half' } as const;
      return (await fetch(`${url}/api/v1/filters`, init)).status;
    };
    for (const isChunked of [false, true]) {
      expect([await ask(1_048_576, isChunked), await ask(1_048_577, isChunked)]).toStrictEqual([201, 413]);
    }
  });

  test('may have a body in chunks', async () => {
    const { url, filters } = await serve();
    const client = await connectRaw(url);
    client.send(
      `POST /api/v1/filters HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    client.send('8\r\n{"name":\r\n');
    client.send('5\r\n"a"} \r\n0\r\n\r\n');
    expect((await client.answered()).status).toBe(201);
    expect(filters.createFilter.mock.calls[0]?.[1].name).toBe('a');
    client.socket.destroy();
  });

  test('has no body where it announces none', async () => {
    const { url, filters } = await serve();
    const client = await connectRaw(url);
    client.send(`POST ${FILTER_URL}/preview HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\n`);
    client.send(
      `POST /api/v1/filters HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}Content-Type: application/json\r\n\r\n`,
    );
    expect([(await client.answered()).status, (await client.answered()).status]).toStrictEqual([200, 400]);
    expect(filters.previewFilter).toHaveBeenCalledTimes(1);
    client.socket.destroy();
  });

  test('may be one of many sent at once on one connection', async () => {
    const { url } = await serve();
    const client = await connectRaw(url);
    client.send(GET('/healthz').repeat(50));
    for (let i = 0; i < 50; i++) expect((await client.answered()).status).toBe(200);
    client.socket.destroy();
  });

  test('may be followed by another on the same connection for more than a minute', async () => {
    const { url } = await serve();
    const client = await connectRaw(url);
    client.send(GET('/healthz'));
    expect((await client.answered()).headers.get('Keep-Alive')).toBe('timeout=65');
    client.socket.destroy();
  });

  test('may use HTTP/1.0, without a host', async () => {
    const { url } = await serve();
    const client = await connectRaw(url);
    client.send('GET /healthz HTTP/1.0\r\n\r\n');
    const { answers } = await client.ended();
    expect(answers.map(({ status, body }) => [status, body])).toStrictEqual([[200, '{"status":"ok"}']]);
  });

  test('with conditions of 30,000 levels is read and answered', async () => {
    const depth = 30_000;
    const deep = `${'{"operator":"AND","conditions":['.repeat(depth)}{"field":"status","operator":"equals","value":"online"}${']}'.repeat(depth)}`;
    const { url, filters } = await serve();
    filters.createFilter.mockImplementation(async (_call, { conditions }) =>
      ok({ ...FILTER, conditionsJson: JSON.stringify(conditions) }),
    );
    const init = withJson('POST', {});
    const response = await fetch(`${url}/api/v1/filters`, { ...init, body: `{"conditions":${deep}}` });
    expect(response.status).toBe(201);
    expect(await response.text()).toContain(`"conditions":${deep},`);
  });
});

describe('the address', () => {
  test.each([
    ['127.0.0.1', 'http://127.0.0.1:'],
    ['0.0.0.0', 'http://localhost:'],
    ['localhost', 'http://localhost:'],
  ])('of host %s begins with %s and can be called', async (host, start) => {
    const { url } = await serve(fakeHttp(), { host });
    expect(url.startsWith(start)).toBe(true);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test('that is in use is named in the error, with what to do', async () => {
    const { url } = await serve();
    const port = Number(new URL(url).port);
    await expect(serveApp(fakeHttp().app, { host: '127.0.0.1', port })).rejects.toThrow(
      `127.0.0.1:${port} is in use by another program; stop it, or choose another port with PORT`,
    );
  });

  test('of another machine is named in the error, with what to do', async () => {
    await expect(serveApp(fakeHttp().app, { host: '192.0.2.1', port: 0 })).rejects.toThrow(
      '192.0.2.1:0 is not an address of this machine; choose another with HOST, such as 127.0.0.1',
    );
  });
});

describe('closing', () => {
  test('finishes a request in flight and tells the client to leave', async () => {
    const { url, server, filters } = await serve();
    const answer = gate<Awaited<ReturnType<typeof filters.readFilter>>>();
    filters.readFilter.mockImplementation(answer.wait);
    const client = await connectRaw(url);
    client.send(GET(FILTER_URL, AUTHORIZATION));
    await answer.entered;
    const closed = server.close(60_000);
    answer.open(ok(FILTER));
    const { answers, errorCode } = await client.ended();
    await closed;
    expect(answers.map(({ status, headers }) => [status, headers.get('Connection')])).toStrictEqual([
      [200, 'close'],
    ]);
    expect(errorCode).toBeNull();
  });

  test('serves a client that has connected, though the server does not know of it yet', async () => {
    const { url, server } = await serve();
    const clients = Array.from({ length: 20 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
    const answers = clients.map((client) => text(client));
    for (const client of clients) client.end(GET('/healthz'));
    // Sockets connect in the next tick, and the system connects them at once.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await server.close(60_000);
    expect((await Promise.all(answers)).map((answer) => answer.slice(0, 12))).toStrictEqual(
      clients.map(() => 'HTTP/1.1 200'),
    );
  });

  test('takes no new connection', async () => {
    const { url, server } = await serve();
    await server.close(60_000);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
  });

  test('does not wait for connections that are idle or were never used', async () => {
    const { url, server } = await serve();
    const idle = await connectRaw(url);
    idle.send(GET('/healthz'));
    await idle.answered();
    const unused = await connectRaw(url);
    // The server knows the second connection as soon as it has answered on a later one.
    const later = await connectRaw(url);
    later.send(GET('/healthz'));
    await later.answered();
    await server.close(600_000);
    await Promise.all([idle.ended(), unused.ended(), later.ended()]);
  });

  test('cuts off a request that does not end in time', async () => {
    const { url, server, filters } = await serve();
    const answer = gate<Awaited<ReturnType<typeof filters.readFilter>>>();
    filters.readFilter.mockImplementation(answer.wait);
    const client = await connectRaw(url);
    client.send(GET(FILTER_URL, AUTHORIZATION));
    await answer.entered;
    const signal = filters.readFilter.mock.calls[0]?.[0].signal ?? AbortSignal.abort();
    const abandoned = once(signal, 'abort');
    await server.close(1);
    await abandoned;
    const { answers } = await client.ended();
    expect(answers).toStrictEqual([]);
    answer.open(ok(FILTER));
  });

  test('serves a request that has begun to arrive, and tells its client to leave', async () => {
    const { url, server } = await serve();
    const client = await connectRaw(url);
    client.send('GET /healthz HTTP/1.1\r\nHost: localhost\r\n');
    // The server has read the first part as soon as it has answered a later request.
    await fetch(`${url}/healthz`);
    const closed = server.close(60_000);
    client.send('\r\n');
    const { answers } = await client.ended();
    await closed;
    expect(answers.map(({ status, headers }) => [status, headers.get('Connection')])).toStrictEqual([
      [200, 'close'],
    ]);
  });

  test('lets an answer that has begun arrive whole', async () => {
    const { url, server, filters } = await serve();
    filters.readFilter.mockResolvedValue(ok(LARGE_FILTER));
    const client = await connectRaw(url);
    client.send(GET(FILTER_URL, AUTHORIZATION));
    await once(client.socket, 'data');
    client.socket.pause();
    const closed = server.close(600_000);
    client.socket.resume();
    expect((await client.answered()).body.length).toBeGreaterThan(LARGE_FILTER.name.length);
    await closed;
  });

  test('twice is the same as closing once', async () => {
    const { server } = await serve();
    await Promise.all([server.close(60_000), server.close(0)]);
    await server.close(0);
  });

  test('under load loses no request that has begun', async () => {
    const { url, server, filters } = await serve(fakeHttp({ budgets: AMPLE_BUDGETS }));
    const answer = gate<void>();
    const clients = await Promise.all(Array.from({ length: 50 }, () => connectRaw(url)));
    const all = Promise.withResolvers<void>();
    filters.readFilter.mockImplementation(async () => {
      if (filters.readFilter.mock.calls.length === clients.length) all.resolve();
      await answer.wait();
      return ok(FILTER);
    });
    for (const client of clients) client.send(GET(FILTER_URL, AUTHORIZATION));
    await all.promise;
    const closed = server.close(60_000);
    answer.open();
    const ends = await Promise.all(clients.map((client) => client.ended()));
    await closed;
    expect(ends.map(({ answers }) => answers.map(({ status }) => status))).toStrictEqual(
      clients.map(() => [200]),
    );
  });
});

describe('an invalid request target', () => {
  test.each([
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: localhost'],
    ['a backslash', 'GET /a\\b HTTP/1.1\r\nHost: localhost'],
    ['a broken absolute URL', 'GET http:// HTTP/1.1\r\nHost: localhost'],
    ['a path without its host', 'GET /healthz HTTP/1.1'],
    ['a path with half a host', 'GET /healthz HTTP/1.1\r\nHost: a b'],
  ])('such as %s is 400 with a request id', async (_, head) => {
    const { url } = await serve();
    const client = await connectRaw(url);
    client.send(`${head}\r\nConnection: close\r\n\r\n`);
    const [answer] = (await client.ended()).answers;
    const requestId = answer?.headers.get('X-Request-Id');
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect([answer?.status, JSON.parse(answer?.body ?? '')]).toStrictEqual([
      400,
      {
        ...aProblem('bad_request', 400, 'Malformed request', 'This is not a well-formed HTTP request.'),
        requestId,
      },
    ]);
  });
});

test.each([
  ['GET', 'Expect: tea', 200],
  ['GET', 'Connection: Upgrade\r\nUpgrade: websocket', 200],
  ['TRACE', 'Max-Forwards: 0', 405],
])('%s with %j is answered by the application: %d', async (method, header, status) => {
  const { url } = await serve();
  const client = await connectRaw(url);
  client.send(`${method} /healthz HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`);
  const answer = await client.answered();
  expect([answer.status, answer.headers.get('X-Frame-Options')]).toStrictEqual([status, 'DENY']);
  client.socket.destroy();
});

test('an application that throws is answered with 500', async () => {
  const server = await serveApp(
    { fetch: () => Promise.reject(new Error('secret')) },
    { host: '127.0.0.1', port: 0 },
  );
  started.push(server);
  const response = await fetch(server.url);
  const requestId = response.headers.get('X-Request-Id');
  expect([response.status, await response.json()]).toStrictEqual([
    500,
    { ...aProblem('internal', 500, 'Internal error', 'Something went wrong on our side.'), requestId },
  ]);
});

test('an absolute URL of another scheme is refused', async () => {
  const { url } = await serve();
  const client = await connectRaw(url);
  client.send('GET ftp://localhost/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect((await client.ended()).answers.map(({ status }) => status)).toStrictEqual([400]);
});

test('a port is free again when the server has closed', async () => {
  const { url, server } = await serve();
  const port = Number(new URL(url).port);
  await server.close(0);
  const next: Server = createServer().listen(port, '127.0.0.1');
  await once(next, 'listening');
  next.close();
  await once(next, 'close');
});

describe('while the service starts', () => {
  test('it is alive, and it serves requests once it has the application', async () => {
    const server = await bindServer({ host: '127.0.0.1', port: 0 });
    started.push(server);
    const ask = (path: string) => fetch(`${server.url}${path}`);
    const healthy = await ask('/healthz');
    expect([healthy.status, await healthy.json()]).toStrictEqual([200, { status: 'ok' }]);
    for (const path of ['/readyz', '/api/v1/filters', '/']) {
      const answer = await ask(path);
      expect(answer.headers.get('Retry-After')).toBe('2');
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect([answer.status, await answer.json()]).toMatchObject([
        503,
        { code: 'unavailable', detail: 'The service is starting; try again shortly.' },
      ]);
    }
    server.answerWith(fakeHttp().app);
    expect((await ask('/readyz')).status).toBe(200);
  });
});

test.each([
  ['the service', async () => (await serve()).url],
  [
    'the metrics',
    async () => {
      const server = await bindMetrics({ host: '127.0.0.1', port: 0 });
      server.answerWith(makeMetrics('1.2.3'));
      onTestFinished(() => server.close());
      return server.url;
    },
  ],
])('a connection that the system cannot accept does not end %s', async (_name, start) => {
  const listen = vi.spyOn(Server.prototype, 'listen');
  const url = await start();
  const [server] = listen.mock.contexts as readonly Server[];
  server?.emit('error', Object.assign(new Error('accept ENOMEM'), { code: 'ENOMEM', syscall: 'accept' }));
  expect((await fetch(url)).status).toBeLessThan(500);
});
