/** Connections: what they may carry, how many there may be, and what becomes of one after an early answer. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { maxConnectionsOfProcess } from '#adapters/http/connections/limit-connections.ts';
import { type RunningServer, type ServeOptions, serveApp } from '#adapters/http/serve.ts';
import { ok } from '#domain/result.ts';
import { AS_USER, FILTER, FILTER_URL, fakeHttp, inPieces } from '#test/support/http/http-fakes.ts';
import { connectRaw, type RawClient } from '#test/support/http/raw-client.ts';

const started: RunningServer[] = [];
const connected: RawClient[] = [];

afterEach(async () => {
  for (const { socket } of connected.splice(0)) socket.destroy();
  await Promise.all(started.splice(0).map((server) => server.close(0)));
});

async function serve(options: Partial<ServeOptions> = {}, http = fakeHttp()) {
  const server = await serveApp(http.app, { host: '127.0.0.1', port: 0, ...options });
  started.push(server);
  return { ...http, url: server.url };
}

async function open(url: string): Promise<RawClient> {
  const client = await connectRaw(url);
  connected.push(client);
  return client;
}

const AUTHORIZATION = `Authorization: ${AS_USER.Authorization}\r\n`;
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const READ = `GET ${FILTER_URL} HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZATION}\r\n`;

describe('a request that two readers could read differently', () => {
  test.each([
    ['with two hosts', 'Host: a\r\nHost: b'],
    ['with the same host twice', 'Host: a\r\nhost: a'],
    ['with another coding before chunked', 'Host: a\r\nTransfer-Encoding: gzip, chunked'],
    ['with chunked twice', 'Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked'],
    ['with chunked twice in one', 'Host: a\r\nTransfer-Encoding: chunked, chunked'],
    ['with a coding alone', 'Host: a\r\nTransfer-Encoding: gzip'],
    ['with identity', 'Host: a\r\nTransfer-Encoding: identity'],
  ])('%s is 400 and ends the connection', async (_, headers) => {
    const { url, filters } = await serve();
    const client = await open(url);
    client.send(
      `POST ${FILTER_URL}/preview HTTP/1.1\r\n${headers}\r\n${AUTHORIZATION}\r\n0\r\n\r\n${HEALTH}`,
    );
    const { answers } = await client.ended();
    expect(answers.map(({ status, headers: sent }) => [status, sent.get('Connection')])).toStrictEqual([
      [400, 'close'],
    ]);
    expect(filters.previewFilter).not.toHaveBeenCalled();
  });

  test.each(['chunked', 'Chunked'])('is not one whose only coding is %s', async (coding) => {
    const { url } = await serve();
    const client = await open(url);
    client.send(
      `POST ${FILTER_URL}/preview HTTP/1.1\r\nHost: a\r\n${AUTHORIZATION}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
    );
    expect((await client.answered()).status).toBe(200);
  });
});

/** Each request is answered before its body is read. */
const EARLY: readonly (readonly [status: number, head: string])[] = [
  [401, 'POST /api/v1/filters HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'],
  [404, 'POST /nothing HTTP/1.1\r\nHost: x\r\n'],
  [405, 'PUT /healthz HTTP/1.1\r\nHost: x\r\n'],
  [415, `POST /api/v1/filters HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}Content-Type: text/plain\r\n`],
  [413, 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'],
  [200, `GET ${FILTER_URL} HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}`],
  [200, 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
];

describe('an answer before the body was read', () => {
  test.each(EARLY)('%d to %j keeps the connection for the next request', async (status, head) => {
    const { url } = await serve();
    const client = await open(url);
    client.send(`${head}Content-Length: 60000\r\n\r\n`);
    // The body follows the head at once, as from a client that sends as fast as it can.
    client.send('x'.repeat(30_000));
    client.send('x'.repeat(30_000));
    const answer = await client.answered();
    expect([answer.status, answer.headers.get('Connection')]).toStrictEqual([status, 'keep-alive']);
    client.send(HEALTH);
    expect((await client.answered()).status).toBe(200);
  });

  test.each(EARLY)('%d to %j says close if too much is still to come, and arrives', async (status, head) => {
    const { url } = await serve();
    const client = await open(url);
    client.send(`${head}Content-Length: 3000000\r\n\r\n`);
    client.send('x'.repeat(3_000_000));
    const { answers, errorCode } = await client.ended();
    expect(answers.map((answer) => [answer.status, answer.headers.get('Connection')])).toStrictEqual([
      [status, 'close'],
    ]);
    expect(errorCode).toBeNull();
  });

  test('does not make the server read the body as fast as it comes', async () => {
    const sockets: Socket[] = [];
    const server = await serveApp(
      {
        fetch: (_, { incoming }) => {
          sockets.push(incoming.socket);
          return new Response(null, { status: 401 });
        },
      },
      { host: '127.0.0.1', port: 0 },
    );
    started.push(server);
    const client = await open(server.url);
    const body = Buffer.alloc(100_000_000, 'x');
    client.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    client.send(body);
    expect((await client.ended()).answers.map(({ status }) => status)).toStrictEqual([401]);
    // 64 KiB each ten milliseconds, for two seconds.
    expect(sockets[0]?.bytesRead).toBeLessThan(14_000_000);
  });

  // A route that takes a body reads it before it refuses its type.
  const unread = EARLY.filter(([status]) => status !== 415);
  test.each(unread)('%d to %j says close if the rest does not come', async (status, head) => {
    const { url } = await serve();
    const client = await open(url);
    client.send(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`);
    if (status === 413) client.send(`8000\r\n${'x'.repeat(0x8000)}\r\n`);
    const answer = await client.answered();
    expect([answer.status, answer.headers.get('Connection')]).toStrictEqual([status, 'close']);
  });
});

describe('a body without a credential', () => {
  test.each(['login', 'refresh', 'logout'])('is at most 16 KiB: %s', async (route) => {
    const { app } = await serve();
    const post = (size: number) =>
      app.request(`/api/v1/auth/${route}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ x: 'x'.repeat(size - 8) }),
      });
    expect((await post(16_384)).status).not.toBe(413);
    const refused = await post(16_385);
    expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toStrictEqual([
      413,
      'The body is larger than 16384 bytes (16 KiB).',
    ]);
  });
});

describe('requests sent ahead on one connection', () => {
  test('are handled one after the other', async () => {
    const { url, filters } = await serve();
    let underWay = 0;
    let most = 0;
    filters.readFilter.mockImplementation(async () => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return ok(FILTER);
    });
    const client = await open(url);
    client.send(READ.repeat(300));
    for (let i = 0; i < 300; i++) expect((await client.answered()).status).toBe(200);
    expect(most).toBe(1);
  });

  test('are not begun when the client has left', async () => {
    const { url, filters } = await serve();
    const entered = Promise.withResolvers<AbortSignal>();
    filters.readFilter.mockImplementation(async ({ signal = AbortSignal.abort() }) => {
      entered.resolve(signal);
      await once(signal, 'abort');
      return ok(FILTER);
    });
    const client = await open(url);
    client.send(READ.repeat(3));
    await entered.promise;
    client.socket.resetAndDestroy();
    await once(await entered.promise, 'abort').catch(() => undefined);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(filters.readFilter).toHaveBeenCalledTimes(1);
  });
});

describe('a client', () => {
  test('that resets the connection after sending is still known by its address', async () => {
    const entered = Promise.withResolvers<void>();
    const address = Promise.withResolvers<string | undefined>();
    const server = await serveApp(
      {
        fetch: async (_, { incoming }) => {
          entered.resolve();
          await new Promise((resolve) => incoming.socket.once('close', resolve));
          address.resolve(incoming.socket.remoteAddress);
          return new Response();
        },
      },
      { host: '127.0.0.1', port: 0 },
    );
    started.push(server);
    const client = await open(server.url);
    client.send(HEALTH);
    await entered.promise;
    client.socket.resetAndDestroy();
    expect(await address.promise).toBe('127.0.0.1');
  });

  test('without an address is refused', async () => {
    const { app, filters } = fakeHttp();
    const incoming = { socket: { remoteAddress: undefined } } as never;
    const response = await app.request(FILTER_URL, { headers: AS_USER }, { incoming });
    expect([response.status, filters.readFilter.mock.calls]).toStrictEqual([400, []]);
  });

  test('that reads nothing of its answer is disconnected, and one that reads it slowly is not', async () => {
    const { url, filters } = await serve({ limits: { stallMs: 1_500 } });
    filters.listFilters.mockReturnValue(inPieces({ ...FILTER, name: 'x'.repeat(30_000_000) }));
    const list = `GET /api/v1/filters HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZATION}\r\n`;
    // Each client connects when it asks: one that waited for the other's answer would itself have stalled.
    const begin = async () => {
      const client = await open(url);
      client.send(list);
      await once(client.socket, 'data');
      client.socket.pause();
      return client;
    };
    const [stalled, slow] = [await begin(), await begin()];
    const pause = () => slow.socket.pause();
    slow.socket.on('data', pause);
    const steps = setInterval(() => slow.socket.resume(), 10);
    // A paused client does not notice that it was disconnected, so it writes until a write fails.
    await vi.waitUntil(
      async () => {
        stalled.socket.write('x');
        return stalled.socket.destroyed || stalled.socket.errored !== null;
      },
      { timeout: 25_000, interval: 100 },
    );
    expect(slow.socket.destroyed).toBe(false);
    clearInterval(steps);
    slow.socket.off('data', pause).resume();
    expect((await slow.answered()).status).toBe(200);
  });

  test('that waits long for its answer stays connected', async () => {
    const { url, filters } = await serve({ limits: { stallMs: 50 } });
    filters.readFilter.mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return ok(FILTER);
    });
    const client = await open(url);
    client.send(READ);
    expect((await client.answered()).status).toBe(200);
  });
});

describe('connections', () => {
  const healthy = async (url: string) => {
    const client = await open(url);
    client.send(HEALTH);
    return (await client.answered()).status;
  };

  test('of one address are limited, and one that ends makes room for another', async () => {
    const { url } = await serve({ limits: { connectionsPerAddress: 2 } });
    expect([await healthy(url), await healthy(url)]).toStrictEqual([200, 200]);
    await expect(healthy(url)).rejects.toThrow('the connection ended');
    connected[0]?.socket.destroy();
    await vi.waitUntil(() => healthy(url).catch(() => null), { timeout: 25_000, interval: 5 });
  });

  test('of a trusted proxy are not counted', async () => {
    const { url } = await serve({
      trustedProxies: ['127.0.0.0/8'],
      limits: { connectionsPerAddress: 1 },
    });
    expect([await healthy(url), await healthy(url), await healthy(url)]).toStrictEqual([200, 200, 200]);
  });

  test('are limited in total', async () => {
    const { url } = await serve({ trustedProxies: ['127.0.0.1'], limits: { connections: 2 } });
    expect([await healthy(url), await healthy(url)]).toStrictEqual([200, 200]);
    await expect(healthy(url)).rejects.toThrow('the connection ended');
  });

  test('may be at least 256 in total, however few files the process may open', () => {
    expect(maxConnectionsOfProcess()).toBeGreaterThanOrEqual(256);
  });
});
