/** Clients that are slow, broken, endless, or gone: each is disconnected, and nobody else notices. */
import { once } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClientLimits, type RunningServer, serveApp } from '#adapters/http/serve.ts';
import { ok } from '#domain/result.ts';
import { AS_USER, type FakeHttp, FILTER, FILTER_URL, fakeHttp } from '#test/support/http/http-fakes.ts';
import { connectRaw, type RawAnswer } from '#test/support/http/raw-client.ts';

const started: RunningServer[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close(0)));
});

/** A client that behaves reaches none of these limits, however slow the machine is. */
const PATIENT: ClientLimits = {
  headersMs: 600_000,
  requestMs: 600_000,
  keepAliveMs: 600_000,
  checkEveryMs: 20,
  headerBytes: 16_384,
  connectionsPerAddress: 10_000,
  connections: 10_000,
  stallMs: 600_000,
};

async function serve(limits: Partial<ClientLimits> = {}, http: FakeHttp = fakeHttp()) {
  const server = await serveApp(http.app, {
    host: '127.0.0.1',
    port: 0,
    limits: { ...PATIENT, ...limits },
  });
  started.push(server);
  return { ...http, url: server.url };
}

const AUTHORIZATION = `Authorization: ${AS_USER.Authorization}\r\n`;
const POST = `POST /api/v1/filters HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZATION}Content-Type: application/json\r\n`;
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** The status and code of each problem document, all of which must be complete. */
function summarize(answers: readonly RawAnswer[]): unknown[] {
  return answers.map(({ status, headers, body }) => {
    const { code, requestId } = JSON.parse(body) as { code?: string; requestId?: string };
    if (status === 200) return status;
    expect(headers.get('Content-Type')).toBe('application/problem+json');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('X-Request-Id')).toBe(requestId);
    return [status, code];
  });
}

/** Asks until it is answered: where a limit is milliseconds, a client that behaves may be too slow as well. */
async function expectHealthy(url: string): Promise<void> {
  const isHealthy = async () => (await fetch(`${url}/healthz`)).status === 200;
  await vi.waitUntil(() => isHealthy().catch(() => false), { timeout: 25_000, interval: 5 });
}

/** Waits until `count` requests have been logged, and returns their status codes. */
async function loggedStatuses({ lines }: Pick<FakeHttp, 'lines'>, count: number): Promise<unknown[]> {
  await vi.waitUntil(() => lines.length >= count, { timeout: 25_000, interval: 5 });
  return lines.map(({ facts }) => ('status' in facts ? facts.status : null));
}

describe('a slow client', () => {
  test.each([
    ['says nothing', ''],
    ['stops in the request line', 'GET /hea'],
    ['stops in the headers', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: '],
  ])('that %s gets 408 and is disconnected', async (_, text) => {
    const { url } = await serve({ headersMs: 50 });
    const client = await connectRaw(url);
    client.send(text);
    const { answers } = await client.ended();
    expect(summarize(answers)).toStrictEqual([[408, 'request_timeout']]);
    await expectHealthy(url);
  });

  test.each([
    ['of a declared length', `${POST}Content-Length: 100\r\n\r\n{"name":`],
    ['in chunks', `${POST}Transfer-Encoding: chunked\r\n\r\n8\r\n{"name":\r\n`],
    [
      'that nobody needs',
      `POST ${FILTER_URL}/preview HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}Content-Length: 9\r\n\r\nx`,
    ],
  ])('that stops in a body %s gets 408 and is disconnected', async (_, text) => {
    const { url, filters, lines } = await serve({ headersMs: 50, requestMs: 50 });
    const isWorkedOn = async () => {
      const client = await connectRaw(url);
      client.send(text);
      const { answers } = await client.ended();
      expect(summarize(answers)).toStrictEqual([[408, 'request_timeout']]);
      return lines.length > 0;
    };
    // On a busy machine the client's time may be up before its headers are read.
    await vi.waitUntil(isWorkedOn, { timeout: 25_000 });
    expect(new Set(await loggedStatuses({ lines }, 1))).toStrictEqual(new Set([499]));
    expect(filters.createFilter).not.toHaveBeenCalled();
    expect(filters.previewFilter).not.toHaveBeenCalled();
    await expectHealthy(url);
  });

  test('that sends one byte at a time is disconnected', async () => {
    const { url } = await serve({ headersMs: 50, requestMs: 50 });
    const client = await connectRaw(url);
    const drip = setInterval(() => client.send('x'), 5);
    client.send(`${POST}Content-Length: 1000000\r\n\r\n`);
    await client.ended();
    clearInterval(drip);
    await expectHealthy(url);
  });

  test('that pauses between two requests is disconnected', async () => {
    const { url } = await serve({ keepAliveMs: 1 });
    const client = await connectRaw(url);
    client.send(HEALTH);
    const { answers } = await client.ended();
    expect(summarize(answers)).toStrictEqual([200]);
  });

  test('does not block other clients, not even if there are 500 slow ones', async () => {
    const { url } = await serve({ headersMs: 1_000, checkEveryMs: 100 });
    const slow = await Promise.all(Array.from({ length: 500 }, () => connectRaw(url)));
    for (const client of slow) client.send('GET / HTTP/1.1\r\nHost:');
    await expectHealthy(url);
    const ends = await Promise.all(slow.map((client) => client.ended()));
    expect(new Set(ends.map(({ answers }) => JSON.stringify(summarize(answers))))).toStrictEqual(
      new Set(['[[408,"request_timeout"]]']),
    );
  });
});

describe('a broken request', () => {
  test.each<[string, string, unknown]>([
    ['garbage', 'hello\r\n\r\n', [400, 'bad_request']],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400, 'bad_request']],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', [400, 'bad_request']],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', [400, 'bad_request']],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', [400, 'bad_request']],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n', [400, 'bad_request']],
    ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, [400, 'bad_request']],
    ['an invalid length', `${POST}Content-Length: x\r\n\r\n{}`, [400, 'bad_request']],
    ['a negative length', `${POST}Content-Length: -1\r\n\r\n{}`, [400, 'bad_request']],
    [
      'a length and chunks',
      `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      [400, 'bad_request'],
    ],
    ['an invalid chunk size', `${POST}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, [400, 'bad_request']],
    [
      'headers of 20 KB',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
      [431, 'header_fields_too_large'],
    ],
    ['a URL of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n`, [431, 'header_fields_too_large']],
    [
      'chunk extensions of 20 KB',
      `${POST}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n`,
      [413, 'payload_too_large'],
    ],
  ])('with %s is answered, and the connection is closed', async (_, text, answer) => {
    const { url } = await serve();
    const client = await connectRaw(url);
    client.send(Buffer.from(text, 'latin1'));
    const { answers } = await client.ended();
    expect(summarize(answers)).toStrictEqual([answer]);
    expect(answers[0]?.headers.get('Connection')).toBe('close');
    await expectHealthy(url);
  });

  test('after a good one on the same connection leaves the good one its answer', async () => {
    const { url } = await serve();
    const client = await connectRaw(url);
    client.send(HEALTH);
    await client.answered();
    client.send('garbage\r\n\r\n');
    const { answers } = await client.ended();
    expect(summarize(answers)).toStrictEqual([200, [400, 'bad_request']]);
  });

  test('sent right behind good ones harms nobody else', async () => {
    const { url } = await serve();
    const clients = await Promise.all(Array.from({ length: 100 }, () => connectRaw(url)));
    for (const client of clients) client.send(`${HEALTH}${HEALTH}\0garbage\r\n\r\n${HEALTH}`);
    const ends = await Promise.all(clients.map((client) => client.ended()));
    expect(ends.map(({ answers }) => summarize(answers).at(-1))).toStrictEqual(
      clients.map(() => [400, 'bad_request']),
    );
    await expectHealthy(url);
  });
});

describe('a broken request during an answer', () => {
  test('is answered when that answer has arrived', async () => {
    const { url, filters } = await serve();
    filters.readFilter.mockResolvedValue(ok({ ...FILTER, name: 'x'.repeat(30_000_000) }));
    const client = await connectRaw(url);
    client.send(`GET ${FILTER_URL} HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZATION}\r\n`);
    await once(client.socket, 'data');
    client.send('garbage\r\n\r\n');
    expect(summarize((await client.ended()).answers)).toStrictEqual([200, [400, 'bad_request']]);
    await expectHealthy(url);
  });

  test('does not get into an answer that is half written', async () => {
    const encoder = new TextEncoder();
    const server = await serveApp(
      // One chunk, and no end.
      { fetch: () => new Response(new ReadableStream({ start: (c) => c.enqueue(encoder.encode('half')) })) },
      { host: '127.0.0.1', port: 0, limits: PATIENT },
    );
    started.push(server);
    const client = await connectRaw(server.url);
    client.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(client.socket, 'data');
    client.send('garbage\r\n\r\n');
    const { answers, rest } = await client.ended();
    expect(answers.map(({ status }) => status)).toStrictEqual([200]);
    expect('4\r\nhalf\r\n'.startsWith(rest)).toBe(true);
  });
});

describe('a client that was refused', () => {
  test('and does not hang up keeps no connection open', async () => {
    const server = await serveApp(fakeHttp().app, { host: '127.0.0.1', port: 0, limits: PATIENT });
    const client = await connectRaw(server.url, { allowHalfOpen: true });
    client.send('garbage\r\n\r\n');
    expect(summarize([await client.answered()])).toStrictEqual([[400, 'bad_request']]);
    await server.close(600_000);
    client.socket.destroy();
  });
});

describe('a body that is too large', () => {
  const TOO_LARGE = [[413, 'payload_too_large']];

  test('by its Content-Length is refused before it is sent', async () => {
    const { url, filters } = await serve();
    const client = await connectRaw(url);
    client.send(`${POST}Content-Length: 1048577\r\n\r\n`);
    expect(summarize([await client.answered()])).toStrictEqual(TOO_LARGE);
    expect(filters.createFilter).not.toHaveBeenCalled();
    client.socket.destroy();
  });

  test.each([
    ['the route reads it', POST],
    ['the route does not read it', `POST ${FILTER_URL}/preview HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}`],
  ])('is refused while it comes in chunks, where %s', async (_, head) => {
    const { url, filters } = await serve();
    const client = await connectRaw(url);
    client.send(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    for (let i = 0; i < 17; i++) client.send(chunk);
    expect(summarize([await client.answered()])).toStrictEqual(TOO_LARGE);
    expect(filters.createFilter).not.toHaveBeenCalled();
    expect(filters.previewFilter).not.toHaveBeenCalled();
    client.socket.destroy();
  });

  test('and never ends is cut off', async () => {
    const { url } = await serve();
    const client = await connectRaw(url);
    client.send(`${POST}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const flood = setInterval(() => client.send(chunk), 1);
    const { answers } = await client.ended();
    clearInterval(flood);
    expect(summarize(answers)).toStrictEqual(TOO_LARGE);
    await expectHealthy(url);
  });

  test('ends the connection, and the answer still arrives', async () => {
    const { url } = await serve();
    const client = await connectRaw(url);
    client.send(`${POST}Content-Length: 1100000\r\n\r\n`);
    client.send('x'.repeat(1_100_000));
    client.send(HEALTH);
    const { answers, errorCode } = await client.ended();
    expect(summarize(answers)).toStrictEqual(TOO_LARGE);
    expect([answers[0]?.headers.get('Connection'), errorCode]).toStrictEqual(['close', null]);
  });
});

describe('a client that hangs up', () => {
  test('while its request is worked on cancels the work', async () => {
    const { url, filters, lines } = await serve();
    const entered = Promise.withResolvers<AbortSignal>();
    filters.previewFilter.mockImplementation(async ({ signal = AbortSignal.abort() }) => {
      entered.resolve(signal);
      await once(signal, 'abort');
      return { ok: false, error: { code: 'cancelled', detail: 'gone' } };
    });
    const client = await connectRaw(url);
    client.send(`POST ${FILTER_URL}/preview HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZATION}\r\n`);
    expect((await entered.promise).aborted).toBe(false);
    client.socket.destroy();
    expect(await loggedStatuses({ lines }, 1)).toStrictEqual([499]);
    await expectHealthy(url);
  });

  test('after its answer cancels nothing', async () => {
    const { url, filters } = await serve();
    const client = await connectRaw(url);
    client.send(`GET ${FILTER_URL} HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZATION}Connection: close\r\n\r\n`);
    await client.ended();
    await expectHealthy(url);
    expect(filters.readFilter.mock.calls[0]?.[0].signal?.aborted).toBe(false);
  });

  test('before its answer arrives harms nobody else', async () => {
    const { url, filters, lines } = await serve();
    const entered = Promise.withResolvers<AbortSignal>();
    filters.readFilter.mockImplementation(async ({ signal = AbortSignal.abort() }) => {
      entered.resolve(signal);
      await once(signal, 'abort');
      return ok(FILTER);
    });
    const client = await connectRaw(url);
    client.send(`GET ${FILTER_URL} HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZATION}\r\n`);
    await entered.promise;
    client.socket.resetAndDestroy();
    expect(await loggedStatuses({ lines }, 1)).toStrictEqual([200]);
    await expectHealthy(url);
  });

  test.each([
    ['of a declared length', `${POST}Content-Length: 1000\r\n\r\n{"name":"`, false],
    ['in chunks', `${POST}Transfer-Encoding: chunked\r\n\r\n9\r\n{"name":"\r\n`, false],
    ['of a declared length, by a reset', `${POST}Content-Length: 1000\r\n\r\n{"name":"`, true],
    ['in chunks, by a reset', `${POST}Transfer-Encoding: chunked\r\n\r\n9\r\n{"name":"\r\n`, true],
  ])('in the middle of a body %s, a thousand times over, leaves nothing behind', async (_, text, isReset) => {
    const { url, filters, lines } = await serve();
    const rejections: unknown[] = [];
    const note = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', note);
    for (let round = 0; round < 10; round++) {
      const clients = await Promise.all(Array.from({ length: 100 }, () => connectRaw(url)));
      await Promise.all(
        clients.map(async ({ socket }) => {
          await new Promise((resolve) => socket.write(text, resolve));
          const closed = once(socket, 'close');
          if (isReset) socket.resetAndDestroy();
          else socket.end();
          await closed;
        }),
      );
    }
    // A client that resets may be gone before the server has read a byte.
    if (!isReset) expect(new Set(await loggedStatuses({ lines }, 1_000))).toStrictEqual(new Set([499]));
    await expectHealthy(url);
    expect(filters.createFilter).not.toHaveBeenCalled();
    expect(rejections).toStrictEqual([]);
    process.off('unhandledRejection', note);
  });

  test('leaves no connection open', async () => {
    const http = fakeHttp();
    const server = await serveApp(http.app, { host: '127.0.0.1', port: 0, limits: PATIENT });
    const clients = await Promise.all(Array.from({ length: 100 }, () => connectRaw(server.url)));
    for (const client of clients) client.send(`${POST}Content-Length: 1000\r\n\r\n{"name":"`);
    for (const { socket } of clients) socket.destroy();
    // Nothing has to be cut off: the server closes long before its time is up.
    await server.close(600_000);
    expect(http.filters.createFilter).not.toHaveBeenCalled();
  });
});
