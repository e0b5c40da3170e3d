/** Requests to servers that customers name (Contract: §17, "Outbound addresses"). */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { makeAskOutbound, type OutboundDeps, OutboundError } from '#adapters/system/outbound.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const asking = (given: Partial<OutboundDeps> = {}) =>
  makeAskOutbound({ allowsPrivate: true, timeoutMs: 10_000, maxBytes: 1_048_576, ...given });

/** A resolver that gives these addresses for every name. */
const resolvingTo =
  (...addresses: readonly string[]): LookupFunction =>
  (_, __, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

test('a request is sent as given, and its whole answer is returned', async () => {
  const url = await serve((request, response) => {
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () =>
      response
        .writeHead(201, { 'X-Test': 'yes' })
        .end(`${request.method} ${request.headers['x-asked']} ${body}`),
    );
  });
  const answer = await asking()(url, { method: 'POST', headers: { 'X-Asked': 'a' }, body: 'text' });
  expect([answer.status, answer.headers.get('x-test'), Buffer.from(answer.body).toString()]).toStrictEqual([
    201,
    'yes',
    'POST a text',
  ]);
});

test('follows no redirect', async () => {
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url);
    response.writeHead(302, { Location: '/elsewhere' }).end();
  });
  expect((await asking()(url, { method: 'GET' })).status).toBe(302);
  expect(asked).toStrictEqual(['/']);
});

test('an answer over the limit of bytes is refused', async () => {
  const url = await serve((_, response) => void response.end('x'.repeat(1_001)));
  await expect(asking({ maxBytes: 1_000 })(url, { method: 'GET' })).rejects.toThrow('more than 1000 bytes');
  expect((await asking({ maxBytes: 1_001 })(url, { method: 'GET' })).body).toHaveLength(1_001);
});

test.each<[string, RequestListener]>([
  ['that never answers', () => undefined],
  ['that stops in the middle of its answer', (_, response) => void response.writeHead(200).write('x')],
])('gives up on a server %s', async (_, listener) => {
  const url = await serve(listener);
  await expect(asking({ timeoutMs: 200 })(url, { method: 'GET' })).rejects.toThrow(
    new OutboundError('it did not answer within 0.2 seconds'),
  );
});

test('says that a server cannot be reached', async () => {
  const url = await serve(() => undefined);
  const [server] = servers.splice(0);
  await new Promise((resolve) => server?.close(resolve));
  await expect(asking()(url, { method: 'GET' })).rejects.toThrow(
    new OutboundError('it could not be reached'),
  );
});

test('refuses a private address and http at once', async () => {
  const ask = asking({ allowsPrivate: false });
  const get = (url: string) => ask(url, { method: 'GET' });
  await expect(get(await serve(() => undefined))).rejects.toThrow('must be an https URL');
  await expect(get('https://10.0.0.1/')).rejects.toThrow('must not be an address of a private network');
});

test.each([['127.0.0.1'], ['169.254.169.254'], ['::1'], ['::ffff:127.0.0.1'], ['10.0.0.1', 'fd00::1']])(
  'refuses a name that resolves to %s when it connects',
  async (...addresses) => {
    const ask = asking({ allowsPrivate: false, lookup: resolvingTo(...addresses) });
    await expect(ask('https://rebound.example/', { method: 'GET' })).rejects.toThrow(
      new OutboundError('its name leads to an address of a private network'),
    );
  },
);
