/** The client repeats what is safe to repeat, remembers positions, and goes through pages. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ClientOptions, createClient, RefusedError } from '#adapters/api-client/client.ts';
import { CLIENT_TYPES, clientTypes } from '#test/support/client-types.ts';
import { FILTER_URL, fakeHttp, TOKEN } from '#test/support/http/http-fakes.ts';

const BASE = 'https://fleet.example.com/sift';
const FILTERS = '/api/v1/filters';
const DEVICES = '/api/v1/devices';
const FILTER = { name: 'Windows', conditions: { operator: 'AND' as const, conditions: [] } };

/** Answers the requests in turn, and keeps them. */
function clientOf(answers: readonly Response[], options: Partial<ClientOptions> = {}) {
  const asked: Request[] = [];
  const client = createClient({
    baseUrl: BASE,
    apiKey: 'fsk_x',
    ...options,
    fetch: async (request) => {
      asked.push(request);
      return answers[asked.length - 1] ?? Response.error();
    },
  });
  return { client, asked };
}

const refused = (status: number, headers: Record<string, string> = { 'Retry-After': '0' }) =>
  Response.json({ code: 'unavailable', detail: 'not now' }, { status, headers });

test('the types are those of the OpenAPI document; else run: node test/scripts/write-client-types.ts', () => {
  expect(readFileSync(CLIENT_TYPES, 'utf8')).toBe(clientTypes());
});

test('the client gets typed answers and problems from the service', async () => {
  const { app } = fakeHttp();
  const client = createClient({
    baseUrl: 'http://localhost',
    accessToken: () => TOKEN,
    fetch: async (request) => app.fetch(request),
  });
  const id = FILTER_URL.split('/').at(-1) ?? '';
  const { data, error, response } = await client.GET('/api/v1/filters/{id}', { params: { path: { id } } });
  expect(error).toBeUndefined();
  expect(response.status).toBe(200);
  expect(data?.id).toBe(id);
  const name: string | undefined = data?.name;
  expect(name).toBeTypeOf('string');
  // @ts-expect-error: a filter has no such member
  expect(data?.colour).toBeUndefined();
  const stranger = createClient({
    baseUrl: 'http://localhost',
    fetch: async (request) => app.fetch(request),
  });
  expect((await stranger.POST('/api/v1/filters', { body: FILTER })).error?.code).toBe('unauthenticated');
});

describe('a refused request', () => {
  test.each([
    [429, 'GET'],
    [429, 'POST'],
    [503, 'GET'],
  ] as const)('is repeated unchanged after Retry-After (%i to %s)', async (status, method) => {
    const { client, asked } = clientOf([
      refused(status),
      refused(status),
      Response.json({ total: 1, data: [] }),
    ]);
    const { data } =
      method === 'GET' ? await client.GET(FILTERS) : await client.POST(FILTERS, { body: FILTER });
    expect(data).toMatchObject({ total: 1 });
    expect(asked.map((request) => [request.url, request.headers.get('X-API-Key')])).toStrictEqual(
      Array.from({ length: 3 }, () => [`${BASE}${FILTERS}`, 'fsk_x']),
    );
    const bodies = await Promise.all(asked.map((request) => request.text()));
    expect(new Set(bodies)).toStrictEqual(new Set([method === 'GET' ? '' : JSON.stringify(FILTER)]));
  });

  test('503 to a change is not repeated, because the change may have been made', async () => {
    const { client, asked } = clientOf([refused(503)]);
    const { error } = await client.POST(FILTERS, { body: FILTER });
    expect(error?.code).toBe('unavailable');
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['without Retry-After', refused(503, {})],
    ['with too long a Retry-After', refused(429, { 'Retry-After': '61' })],
    ['with another status', refused(409)],
  ])('%s is returned to the caller', async (_why, answer) => {
    const { client, asked } = clientOf([answer]);
    expect((await client.GET(FILTERS)).error?.detail).toBe('not now');
    expect(asked).toHaveLength(1);
  });

  test('is repeated at most maxRetries times', async () => {
    const { client, asked } = clientOf([refused(429), refused(429), refused(429)], { maxRetries: 2 });
    expect((await client.GET(FILTERS)).response.status).toBe(429);
    expect(asked).toHaveLength(3);
  });

  test('is not repeated once the caller has aborted it', async () => {
    const { client, asked } = clientOf([refused(429, { 'Retry-After': '60' })]);
    const signal = AbortSignal.timeout(10);
    await expect(client.GET(FILTERS, { signal })).rejects.toThrow(/abort|timeout/i);
    expect(asked).toHaveLength(1);
  });

  test('is repeated with a new access token if the client makes tokens', async () => {
    let tokens = 0;
    const { client, asked } = clientOf([refused(429), Response.json({ data: [] })], {
      accessToken: () => `token-${++tokens}`,
    });
    await client.GET(FILTERS);
    expect(asked.map(({ headers }) => headers.get('Authorization'))).toStrictEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });
});

describe('positions', () => {
  const changed = (position: string) =>
    Response.json({}, { status: 201, headers: { 'X-Fleetsift-Position': position } });
  const listed = () => Response.json({ data: [], total: 0 });

  test('the latest is sent with every request, whatever the order of the answers', async () => {
    const { client, asked } = clientOf([listed(), changed('9/FF'), changed('A/1'), changed('A/0'), listed()]);
    await client.GET(FILTERS);
    for (let i = 0; i < 3; i++) await client.POST(FILTERS, { body: FILTER });
    await client.GET(FILTERS);
    expect(asked.map(({ headers }) => headers.get('X-Fleetsift-Position'))).toStrictEqual([
      null,
      null,
      '9/FF',
      'A/1',
      'A/1',
    ]);
    expect(client.position).toBe('A/1');
  });

  test('a position of another process can be set on the client', async () => {
    const { client, asked } = clientOf([listed()]);
    client.position = 'B/7';
    await client.GET(FILTERS);
    expect(asked[0]?.headers.get('X-Fleetsift-Position')).toBe('B/7');
  });
});

describe('client.each', () => {
  const page = (names: readonly string[], nextCursor: string | null) =>
    Response.json({ data: names.map((hostname) => ({ hostname })), nextCursor });

  test('goes through all pages, and asks for a page only when it is needed', async () => {
    const { client, asked } = clientOf([page(['a', 'b'], 'one'), page([], 'two'), page(['c'], null)]);
    const names: string[] = [];
    for await (const device of client.each(DEVICES, { params: { query: { q: 'os:windows', limit: 2 } } })) {
      names.push(device.hostname);
      if (names.length === 2) expect(asked).toHaveLength(1);
    }
    expect(names).toStrictEqual(['a', 'b', 'c']);
    expect(asked.map(({ url }) => new URL(url).searchParams.get('cursor'))).toStrictEqual([
      null,
      'one',
      'two',
    ]);
    for (const { url } of asked) expect(url).toContain('q=os%3Awindows&limit=2');
  });

  test('throws the problem when a page is refused', async () => {
    const { client } = clientOf([page(['a'], 'one'), refused(400)]);
    const names = client.each(DEVICES);
    expect((await names.next()).value?.hostname).toBe('a');
    const failed = names.next();
    await expect(failed).rejects.toThrow(RefusedError);
    await expect(failed).rejects.toMatchObject({ message: 'not now', problem: { code: 'unavailable' } });
  });

  test('throws the status of an answer that does not come from the service', async () => {
    const { client } = clientOf([new Response('<h1>Bad Gateway</h1>', { status: 502 })]);
    await expect(client.each(DEVICES).next()).rejects.toMatchObject({ status: 502, problem: undefined });
  });

  test('takes only lists with a cursor', () => {
    const { client } = clientOf([]);
    // @ts-expect-error: one page has all filters
    client.each(FILTERS);
    // @ts-expect-error: there is no such parameter
    client.each(DEVICES, { params: { query: { colour: 'red' } } });
  });
});
