/** What holds for every path: unknown ones, methods, request ids, headers (Contract: §1), and the open routes (§9). */
import { describe, expect, test } from 'vitest';
import { ok } from '#domain/result.ts';
import {
  AS_USER,
  aProblem,
  FILTER,
  FILTER_ID,
  FILTER_URL,
  fakeHttp,
  REQUEST_ID,
  withJson,
} from '#test/support/http/http-fakes.ts';

describe('an unknown path', () => {
  test.each([
    '/',
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v2/filters',
    '/api/v1/Filters',
    '/api/v1/filters/',
    '/api/v1//filters',
    `${FILTER_URL}/`,
    `${FILTER_URL}/devices`,
    `${FILTER_URL}/preview/x`,
    '/api/v1/filters%2Fpreview/x',
    '/.well-known/other',
    '/healthz/x',
    '/__proto__',
    '/constructor',
    '/%',
    '/%00',
    '/api/v1/filters/x/../../../../etc/passwd',
  ])('%s is 404, with and without a credential', async (path) => {
    const { app, verifyAccessToken } = fakeHttp();
    const problem = aProblem('not_found', 404, 'Not found', 'There is nothing at this address.');
    const anonymous = await app.request(path);
    const known = await app.request(path, { headers: AS_USER });
    expect([anonymous.status, await anonymous.json()]).toStrictEqual([404, problem]);
    expect([known.status, await known.json()]).toStrictEqual([404, problem]);
    expect(verifyAccessToken).not.toHaveBeenCalled();
  });

  test('is 404 to OPTIONS and to every other method', async () => {
    const { app } = fakeHttp();
    const answers = ['OPTIONS', 'POST', 'PUT', 'HEAD', 'PROPFIND'].map(
      async (method) => (await app.request('/nowhere', { method })).status,
    );
    expect(await Promise.all(answers)).toStrictEqual([404, 404, 404, 404, 404]);
  });
});

describe('the methods of', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
  const paths: [string, string][] = [
    ['/api/v1/filters', 'GET, HEAD, OPTIONS, POST'],
    ['/api/v1/filters/fields', 'GET, HEAD, OPTIONS'],
    ['/api/v1/filters/preview', 'OPTIONS, POST'],
    ['/api/v1/filters/explain', 'OPTIONS, POST'],
    [FILTER_URL, 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['/api/v1/filters/not-an-id', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    [`${FILTER_URL}/preview`, 'OPTIONS, POST'],
    ['/api/v1/devices', 'GET, HEAD, OPTIONS'],
    ['/api/v1/devices/query', 'OPTIONS, POST'],
    ['/api/v1/devices/not-an-id', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    [`${FILTER_URL}/explain`, 'OPTIONS, POST'],
    ['/api/v1/auth/login', 'OPTIONS, POST'],
    ['/api/v1/auth/refresh', 'OPTIONS, POST'],
    ['/api/v1/auth/logout', 'OPTIONS, POST'],
    ['/api/v1/auth/me', 'GET, HEAD, OPTIONS'],
    ['/api/v1/auth/mfa/enroll', 'OPTIONS, POST'],
    ['/api/v1/auth/mfa/enroll/confirm', 'OPTIONS, POST'],
    ['/api/v1/auth/mfa/challenge', 'OPTIONS, POST'],
    ['/api/v1/auth/api-keys', 'GET, HEAD, OPTIONS, POST'],
    ['/api/v1/auth/api-keys/not-an-id', 'DELETE, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
    ['/readyz', 'GET, HEAD, OPTIONS'],
    ['/.well-known/jwks.json', 'GET, HEAD, OPTIONS'],
  ];

  test.each(paths)('%s are %s; every other is 405, for every caller', async (path, allow) => {
    const { app, filters } = fakeHttp();
    for (const method of METHODS.filter((each) => !allow.split(', ').includes(each))) {
      const response = await app.request(path, { method });
      expect([method, response.status, response.headers.get('Allow')]).toStrictEqual([method, 405, allow]);
    }
    for (const useCase of Object.values(filters)) expect(useCase).not.toHaveBeenCalled();
  });

  test.each(paths)('%s are named to OPTIONS: %s', async (path, allow) => {
    const { app } = fakeHttp();
    const response = await app.request(path, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('Allow'), await response.text()]).toStrictEqual([
      204,
      allow,
      '',
    ]);
  });

  test('a path are listed in the problem document', async () => {
    const { app } = fakeHttp();
    const response = await app.request('/api/v1/filters', { method: 'DELETE' });
    expect(await response.json()).toStrictEqual(
      aProblem(
        'method_not_allowed',
        405,
        'Method not allowed',
        'This address accepts GET, HEAD, OPTIONS, POST.',
      ),
    );
  });

  test.each([
    '/api/v1/filters',
    '/api/v1/filters/fields',
    FILTER_URL,
    '/healthz',
    '/readyz',
    '/.well-known/jwks.json',
  ])('%s include HEAD, which is GET without the body', async (path) => {
    const { app } = fakeHttp();
    const get = await app.request(path, { headers: AS_USER });
    const head = await app.request(path, { method: 'HEAD', headers: AS_USER });
    expect([head.status, await head.text()]).toStrictEqual([200, '']);
    expect([...head.headers]).toStrictEqual([...get.headers]);
  });

  test('a path include HEAD, which is refused without a credential like GET', async () => {
    const { app } = fakeHttp();
    const response = await app.request(FILTER_URL, { method: 'HEAD' });
    expect([response.status, response.headers.get('WWW-Authenticate')]).toStrictEqual([401, 'Bearer']);
  });
});

/** One request for each kind of answer. */
const EVERY_ANSWER: [string, string, RequestInit][] = [
  ['200', '/api/v1/filters', { headers: AS_USER }],
  ['201', '/api/v1/filters', withJson('POST', {})],
  ['204', '/api/v1/filters', { method: 'OPTIONS' }],
  ['304', FILTER_URL, { headers: { ...AS_USER, 'If-None-Match': '*' } }],
  ['400', '/api/v1/filters', { ...withJson('POST', {}), body: '{' }],
  ['401', '/api/v1/filters', {}],
  ['404', '/api/v1/filters/1', { headers: AS_USER }],
  ['404', '/nowhere', {}],
  ['405', '/api/v1/filters', { method: 'PUT' }],
  ['413', '/api/v1/filters', withJson('POST', {}, { 'Content-Length': '9999999' })],
  ['415', '/api/v1/filters', withJson('POST', {}, { 'Content-Type': 'text/plain' })],
  ['500', '/api/v1/filters', { method: 'POST', ...withJson('POST', { name: 'throw' }) }],
  ['200', '/healthz', {}],
  ['200', '/readyz', {}],
  ['200', '/api/v1/filters', { method: 'HEAD', headers: AS_USER }],
];

function brittleHttp() {
  const http = fakeHttp();
  http.filters.createFilter.mockImplementation(async (_call, { name }) => {
    if (name === 'throw') throw new Error('thrown');
    return ok(FILTER);
  });
  return http;
}

describe('the headers of an answer', () => {
  test.each(EVERY_ANSWER)('with %s to %s %j keep it safe', async (status, path, init) => {
    const response = await brittleHttp().app.request(path, init);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-request-id': REQUEST_ID,
    });
    expect(response.status).toBe(Number(status));
  });

  test.each(EVERY_ANSWER)('with %s to %s %j name no software and no other origin', async (_, path, init) => {
    const headers = new Headers(init.headers);
    headers.set('Origin', 'https://elsewhere.example');
    headers.set('Access-Control-Request-Method', 'POST');
    const response = await brittleHttp().app.request(path, { ...init, headers });
    const names = [...response.headers.keys()];
    expect(
      names.filter((name) => /^access-control-|^x-powered-by$|^server$|^set-cookie$/.test(name)),
    ).toStrictEqual([]);
  });

  test.each([
    ['/api/v1/filters', 'application/json'],
    ['/nowhere', 'application/problem+json'],
  ])('to %s say %s', async (path, type) => {
    const response = await fakeHttp().app.request(path, { headers: AS_USER });
    expect(response.headers.get('Content-Type')).toBe(type);
  });
});

describe('a request id', () => {
  test.each(['1', 'a.B_c-9', 'x'.repeat(128)])('%s is kept', async (id) => {
    const { app, filters } = fakeHttp();
    const response = await app.request(FILTER_URL, { headers: { ...AS_USER, 'X-Request-Id': id } });
    expect(response.headers.get('X-Request-Id')).toBe(id);
    expect(filters.readFilter.mock.calls[0]?.[0].requestId).toBe(id);
  });

  test.each(['', 'x'.repeat(129), 'a b', 'a,b', 'a/b', 'ä', 'a"b', '<script>', 'a=b'])(
    '%j is replaced',
    async (id) => {
      const { app, filters } = fakeHttp();
      const response = await app.request(FILTER_URL, { headers: { ...AS_USER, 'X-Request-Id': id } });
      expect(response.headers.get('X-Request-Id')).toBe(REQUEST_ID);
      expect(filters.readFilter.mock.calls[0]?.[0].requestId).toBe(REQUEST_ID);
    },
  );

  test('that comes twice is replaced', async () => {
    const headers: [string, string][] = [
      ['X-Request-Id', 'a'],
      ['X-Request-Id', 'b'],
    ];
    const response = await fakeHttp().app.request('/healthz', { headers });
    expect(response.headers.get('X-Request-Id')).toBe(REQUEST_ID);
  });

  test.each(EVERY_ANSWER)('is returned with %s to %s %j', async (_, path, init) => {
    const headers = new Headers(init.headers);
    headers.set('X-Request-Id', 'mine');
    const response = await brittleHttp().app.request(path, { ...init, headers });
    expect(response.headers.get('X-Request-Id')).toBe('mine');
  });

  test.each(EVERY_ANSWER.filter(([status, , { method }]) => status >= '400' && method !== 'HEAD'))(
    'is in the problem document of %s to %s %j',
    async (_, path, init) => {
      const response = await brittleHttp().app.request(path, init);
      expect(await response.json()).toHaveProperty('requestId', REQUEST_ID);
    },
  );
});

describe('the probes', () => {
  test('/healthz is 200 as long as the process answers', async () => {
    const { app } = fakeHttp({ readiness: () => Promise.reject(new Error('database gone')) });
    const response = await app.request('/healthz');
    expect([response.status, await response.json()]).toStrictEqual([200, { status: 'ok' }]);
  });

  const details = { watchedFilters: 'current' } as const;

  test('/readyz is 200 with the checks', async () => {
    const checks = { database: true, migrated: true };
    const { app } = fakeHttp({ readiness: async () => ({ isReady: true, checks, ...details }) });
    const response = await app.request('/readyz');
    expect([response.status, await response.json()]).toStrictEqual([
      200,
      { status: 'ready', checks, details },
    ]);
  });

  test('/readyz is 503 with the checks where one fails', async () => {
    const checks = { database: false, migrated: true };
    const { app } = fakeHttp({ readiness: async () => ({ isReady: false, checks, ...details }) });
    const response = await app.request('/readyz');
    expect([response.status, await response.json()]).toStrictEqual([
      503,
      { status: 'unready', checks, details },
    ]);
  });

  test('/readyz asks for no credential and ignores a bad one', async () => {
    const { app } = fakeHttp();
    const response = await app.request('/readyz', { headers: { Authorization: 'Bearer bad' } });
    expect(response.status).toBe(200);
  });
});

describe('the public keys', () => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: 'public', kid: 'k1', alg: 'EdDSA', use: 'sig' };

  test('need no credential, and may be cached for five minutes', async () => {
    const { app } = fakeHttp({ publicKeys: async () => ({ keys: [key] }) });
    const response = await app.request('/.well-known/jwks.json');
    expect([response.status, await response.json()]).toStrictEqual([200, { keys: [key] }]);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300');
  });

  test('never include private members', async () => {
    const { app } = fakeHttp({ publicKeys: async () => ({ keys: [{ ...key, d: 'private', k: 'secret' }] }) });
    const response = await app.request('/.well-known/jwks.json');
    expect(await response.json()).toStrictEqual({ keys: [key] });
  });
});

test('an invalid trusted proxy is refused when the app is made', () => {
  expect(() => fakeHttp({ trustedProxies: ['10.0.0.0/33'] })).toThrow(
    '"10.0.0.0/33" is neither an address nor a CIDR block such as 10.0.0.0/8 or fd00::/8',
  );
});

test('the id of a filter in the path may be escaped', async () => {
  const { app, filters } = fakeHttp();
  await app.request(`/api/v1/filters/%30${FILTER_ID.slice(1)}`, { headers: AS_USER });
  expect(filters.readFilter.mock.calls[0]?.[1]).toBe(FILTER_ID);
});
