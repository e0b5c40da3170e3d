/** The line that each request leaves in the log, and what it must never contain. */
import { describe, expect, test } from 'vitest';
import type { Caller } from '#domain/access/caller.ts';
import { aCaller, newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import {
  API_KEY_ID,
  AS_KEY,
  AS_USER,
  FILTER_ID,
  FILTER_URL,
  fakeHttp,
  ORG_ID,
  REQUEST_ID,
  USER_ID,
  withJson,
} from '#test/support/http/http-fakes.ts';

const ANONYMOUS = { actorType: null, actorId: null, orgId: null };
const BY_USER = { actorType: 'user', actorId: USER_ID, orgId: ORG_ID };

const V1 = '/api/v1/filters';

test.each<[string, string, RequestInit, object]>([
  ['GET', V1, { headers: AS_USER }, { route: V1, status: 200, ...BY_USER }],
  ['GET', `${V1}?search=secret`, { headers: AS_USER }, { route: V1, status: 200, ...BY_USER }],
  ['POST', V1, withJson('POST', {}), { route: V1, status: 201, ...BY_USER }],
  ['GET', `${V1}/fields`, { headers: AS_USER }, { route: `${V1}/fields`, status: 200, ...BY_USER }],
  ['PUT', `${V1}/fields`, { method: 'PUT' }, { route: `${V1}/fields`, status: 405, ...ANONYMOUS }],
  ['POST', `${V1}/preview`, withJson('POST', {}), { route: `${V1}/preview`, status: 200, ...BY_USER }],
  ['GET', FILTER_URL, { headers: AS_USER }, { route: `${V1}/:id`, status: 200, ...BY_USER }],
  ['HEAD', FILTER_URL, { method: 'HEAD', headers: AS_USER }, { route: `${V1}/:id`, status: 200, ...BY_USER }],
  ['GET', `${V1}/1`, { headers: AS_USER }, { route: `${V1}/:id`, status: 404, ...BY_USER }],
  ['GET', FILTER_URL, {}, { route: `${V1}/:id`, status: 401, ...ANONYMOUS }],
  ['PUT', FILTER_URL, { method: 'PUT' }, { route: null, status: 405, ...ANONYMOUS }],
  ['GET', '/secret', {}, { route: null, status: 404, ...ANONYMOUS }],
  [
    'DELETE',
    FILTER_URL,
    { method: 'DELETE', headers: AS_KEY },
    { route: `${V1}/:id`, status: 200, actorType: 'api_key', actorId: API_KEY_ID, orgId: ORG_ID },
  ],
])('%s %s %j is logged as one line', async (method, path, init, facts) => {
  const { app, lines } = fakeHttp();
  await app.request(path, init);
  expect(lines).toStrictEqual([
    {
      level: 'info',
      message: 'request',
      facts: { requestId: REQUEST_ID, method, durationMs: expect.any(Number), ip: null, ...facts },
    },
  ]);
});

test.each(['/healthz', '/readyz'])('%s is logged at debug level', async (path) => {
  const { app, lines } = fakeHttp();
  await app.request(path);
  expect(lines.map(({ level, facts }) => [level, facts])).toStrictEqual([
    ['debug', expect.objectContaining({ route: path, status: 200 })],
  ]);
});

test("the client's address is logged", async () => {
  const { app, lines } = fakeHttp({ trustedProxies: ['10.0.0.1'] });
  const incoming = { socket: { remoteAddress: '10.0.0.1' } };
  const headers = { ...AS_USER, 'X-Forwarded-For': '203.0.113.7' };
  await app.request(FILTER_URL, { headers }, { incoming } as never);
  expect(lines.map(({ facts }) => facts)).toStrictEqual([expect.objectContaining({ ip: '203.0.113.7' })]);
});

test.each<[string, Partial<Caller>, string | null]>([
  ['an organization', { scope: orgScope(ORG_ID) }, ORG_ID],
  ['a partner', { scope: partnerScope(newId(), [ORG_ID]) }, null],
  ['the whole system', { scope: SYSTEM_SCOPE }, null],
])('the organization is logged only for a caller of one organization: %s', async (_, given, orgId) => {
  const { app, lines, verifyAccessToken } = fakeHttp();
  verifyAccessToken.mockResolvedValue(aCaller(given));
  await app.request(FILTER_URL, { headers: AS_USER });
  expect(lines.map(({ facts }) => facts)).toStrictEqual([expect.objectContaining({ orgId })]);
});

test('no header, query, body or id from the path is ever logged', async () => {
  const { app, filters, lines } = fakeHttp();
  filters.previewConditions.mockRejectedValue(
    Object.assign(new Error('failed'), { query: 'CANARY', parameters: ['CANARY'], cause: 'CANARY' }),
  );
  await app.request(`${V1}?search=CANARY`, { headers: { ...AS_USER, Cookie: 'CANARY' } });
  await app.request(FILTER_URL, { headers: { Authorization: 'Bearer CANARY' } });
  await app.request(`${V1}/preview`, withJson('POST', { conditions: 'CANARY' }));
  await app.request(V1, { ...withJson('POST', {}), body: '{"CANARY' });
  await app.request('/CANARY');
  const text = JSON.stringify(lines);
  expect(lines.length).toBe(5);
  expect(text).not.toContain('CANARY');
  expect(text).not.toContain(FILTER_ID);
});

test('probes are not traced', async () => {
  const traced: string[] = [];
  const { app } = fakeHttp({
    traceRequest: async ({ method }, answer) => {
      traced.push(`${method} ${(await answer()).route}`);
    },
  });
  for (const path of ['/healthz', '/readyz', V1]) await app.request(path);
  expect(traced).toStrictEqual([`GET ${V1}`]);
});

describe('a failure', () => {
  test('is logged as an error with its name and stack', async () => {
    const { app, filters, lines } = fakeHttp();
    const thrown = new TypeError('boom');
    filters.readFilter.mockRejectedValue(thrown);
    await app.request(FILTER_URL, { headers: AS_USER });
    expect(lines).toStrictEqual([
      {
        level: 'error',
        message: 'request',
        facts: {
          requestId: REQUEST_ID,
          method: 'GET',
          route: `${V1}/:id`,
          status: 500,
          durationMs: expect.any(Number),
          ...BY_USER,
          ip: null,
          error: { name: 'TypeError', stack: thrown.stack },
        },
      },
    ]);
  });

  test.each([
    ['a driver', Object.assign(new Error("insert into t values ('CANARY')"), { code: '23505' })],
    [
      'the mapper',
      Object.assign(new Error("select 'CANARY' - not queryable"), {
        name: 'DriverException',
        stack: undefined,
      }),
    ],
  ])('of %s is logged without statements and values', async (_, thrown) => {
    const { app, filters, lines } = fakeHttp();
    filters.readFilter.mockRejectedValue(thrown);
    await app.request(FILTER_URL, { headers: AS_USER });
    expect(lines.map(({ level }) => level)).toStrictEqual(['error']);
    expect(JSON.stringify(lines)).toContain(thrown.name);
    expect(JSON.stringify(lines)).not.toContain('CANARY');
  });

  test("of the database is logged with PostgreSQL's message", async () => {
    const { app, filters, lines } = fakeHttp();
    const said = 'remaining connection slots are reserved';
    filters.readFilter.mockRejectedValue(
      Object.assign(new Error(said), { severity: 'FATAL', code: '53300', detail: 'CANARY' }),
    );
    await app.request(FILTER_URL, { headers: AS_USER });
    expect(lines.map(({ facts }) => facts)).toStrictEqual([
      expect.objectContaining({ error: expect.objectContaining({ code: '53300', said }) }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('CANARY');
  });

  test('that is answered with 503 is logged as an error, too', async () => {
    const { app, filters, lines } = fakeHttp({ isUnavailable: () => true });
    filters.readFilter.mockRejectedValue(new Error('gone'));
    await app.request(FILTER_URL, { headers: AS_USER });
    expect(lines.map(({ level, facts }) => [level, facts])).toStrictEqual([
      ['error', expect.objectContaining({ status: 503, error: expect.any(Object) })],
    ]);
  });

  test('that threw something other than an error is logged without a stack', async () => {
    const { app, filters, lines } = fakeHttp();
    filters.readFilter.mockRejectedValue('text');
    await app.request(FILTER_URL, { headers: AS_USER });
    expect(lines.map(({ level, facts }) => [level, 'error' in facts])).toStrictEqual([['error', false]]);
  });

  test('of readiness is logged once, and so is the recovery, however often a probe asks', async () => {
    const checks = { database: false };
    let isReady = false;
    const { app, lines } = fakeHttp({
      readiness: async () => ({ isReady, checks, watchedFilters: 'current' }),
    });
    for (let i = 0; i < 3; i++) expect((await app.request('/readyz')).status).toBe(503);
    isReady = true;
    for (let i = 0; i < 3; i++) expect((await app.request('/readyz')).status).toBe(200);
    expect(lines.filter(({ level }) => level !== 'debug')).toStrictEqual([
      { level: 'warn', message: 'not ready', facts: { checks } },
      { level: 'info', message: 'ready again', facts: { checks } },
    ]);
  });

  test('of the readiness check itself is logged as an error', async () => {
    const { app, lines } = fakeHttp({ readiness: () => Promise.reject(new Error('bug')) });
    await app.request('/readyz');
    expect(lines.map(({ level }) => level)).toStrictEqual(['error']);
  });
});
