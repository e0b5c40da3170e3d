/** GET /filters over a socket: a list of any length arrives, and no faster than the client reads it. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type RunningServer, serveApp } from '#adapters/http/serve.ts';
import type { NamedFilter } from '#application/filters/saved/name-creator.ts';
import { AS_USER, FILTER, fakeHttp } from '#test/support/http/http-fakes.ts';

const MIB = 1_048_576;

/** The largest possible filter. */
const BIG: NamedFilter = { ...FILTER, conditionsJson: `"${'x'.repeat(MIB)}"` };

const started: RunningServer[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close(0)));
});

/** Serves a list of `count` big filters, counts how many were read, and notes whether the list was left. */
async function serveList(count: number, fail?: Error) {
  const { app, filters, lines } = fakeHttp();
  const seen = { read: 0, isLeft: false };
  filters.listFilters.mockImplementation(async function* () {
    try {
      for (; seen.read < count; seen.read++) yield BIG;
      if (fail !== undefined) throw fail;
    } finally {
      seen.isLeft = true;
    }
  });
  const server = await serveApp(app, { host: '127.0.0.1', port: 0 });
  started.push(server);
  const request = get(`${server.url}/api/v1/filters`, { headers: AS_USER });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { response, seen, lines };
}

test('a list that is longer than a string can be arrives whole', async () => {
  const { response } = await serveList(600);
  let length = 0;
  let end = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    end = (end + chunk.subarray(-20).toString()).slice(-20);
  }
  expect(length).toBeGreaterThan(600 * MIB);
  expect(end).toMatch(/\],"total":600\}$/);
});

test('a list is read no further than its client takes it', async () => {
  const { response, seen } = await serveList(600);
  response.pause();
  // The buffers of both ends hold little in comparison with the list.
  let before = -1;
  while (before < seen.read) {
    before = seen.read;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(seen.read).toBeLessThan(60);
  response.destroy();
  await expect.poll(() => seen.isLeft).toBe(true);
});

test('a list that fails midway is cut off, not ended, and does not say why', async () => {
  const { response, lines } = await serveList(3, new Error('select secret from table'));
  const chunks: Buffer[] = [];
  const taking = (async () => {
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  })();
  await expect(taking).rejects.toThrow('aborted');
  expect(Buffer.concat(chunks).toString()).not.toMatch(/secret|total/);
  expect(lines.map(({ level, message }) => [level, message])).toContainEqual(['error', 'answer cut off']);
});

test('a list that fails before anything was sent is a problem document', async () => {
  const { response } = await serveList(0, new Error('select secret from table'));
  expect([response.statusCode, response.headers['content-type']]).toStrictEqual([
    500,
    'application/problem+json',
  ]);
});
