/** What holds on every route: problem documents, request ids, methods, credentials (Contract: §1, §2, §9). */
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  FILTERS,
  filterOf,
  PREVIEW,
  problemOf,
  refusalOf,
  SEARCH,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aUser, newId } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const CONDITIONS = {
  operator: 'AND',
  conditions: [{ field: 'hostname', operator: 'isNotNull' }],
};
const UUID = '0198f0c0-0000-7000-8000-000000000000';

/** Routes that need a caller, each with a valid request. */
const ROUTES: readonly (readonly [method: string, path: string, body: unknown])[] = [
  ['GET', FILTERS, undefined],
  ['POST', FILTERS, { name: 'x', conditions: CONDITIONS }],
  ['GET', `${FILTERS}/fields`, undefined],
  ['POST', PREVIEW, { conditions: CONDITIONS }],
  ['GET', `${FILTERS}/${UUID}`, undefined],
  ['PATCH', `${FILTERS}/${UUID}`, {}],
  ['DELETE', `${FILTERS}/${UUID}`, undefined],
  ['POST', `${FILTERS}/${UUID}/preview`, undefined],
  ['GET', `${SEARCH}?q=x`, undefined],
  ['PATCH', `/api/v1/devices/${UUID}`, {}],
  ['GET', '/api/v1/custom-fields', undefined],
  ['POST', '/api/v1/custom-fields', { key: 'rack', name: 'Rack', type: 'text' }],
  ['PATCH', `/api/v1/custom-fields/${UUID}`, {}],
  ['DELETE', `/api/v1/custom-fields/${UUID}`, undefined],
];

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const bare = (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: unknown) =>
  service.as('none')(method, path, body, headers);

describe('problem documents', () => {
  test('a refusal has every member', async () => {
    const conditions = {
      operator: 'AND',
      conditions: [{ field: 'ostype', operator: 'equals', value: 'linux' }],
    };
    const answer = await service.as('A-user')('POST', PREVIEW, { conditions }, { 'X-Request-Id': 'whole' });
    const message = problemOf(answer).detail;
    expect([answer.status, answer.headers.get('content-type'), answer.body]).toStrictEqual([
      400,
      'application/problem+json',
      {
        type: 'urn:fleetsift:problem:validation_failed',
        title: 'Validation failed',
        status: 400,
        detail: message,
        message,
        code: 'validation_failed',
        requestId: 'whole',
        errors: [{ path: 'conditions.conditions[0].field', code: 'unknown_field', message }],
      },
    ]);
    expect(message).toContain('osType');
  });

  test('only validation failures have errors', async () => {
    const answers = [
      await bare('GET', FILTERS),
      await bare('GET', '/api/v1/nothing'),
      await bare('PUT', FILTERS),
      await service.as('A-user')('GET', `${FILTERS}/${UUID}`),
      await service.as('A-user')('POST', FILTERS, '{'),
      await service.as('A-user')('POST', FILTERS, '{}', { 'Content-Type': 'text/plain' }),
      await service.as('P-all')('POST', FILTERS, { name: 'x', conditions: CONDITIONS, orgId: newId() }),
    ];
    expect(answers.map(refusalOf)).toStrictEqual([
      [401, 'unauthenticated'],
      [404, 'not_found'],
      [405, 'method_not_allowed'],
      [404, 'not_found'],
      [400, 'invalid_json'],
      [415, 'unsupported_media_type'],
      [403, 'forbidden'],
    ]);
    for (const { body, headers } of answers) {
      expect(body).not.toHaveProperty('errors');
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(body).toMatchObject({
        type: `urn:fleetsift:problem:${(body as { code: string }).code}`,
        message: (body as { detail: string }).detail,
        requestId: headers.get('x-request-id'),
      });
    }
  });
});

describe('request ids', () => {
  test.each(['a', 'x'.repeat(128), 'A-z_0.9', '...'])('%s is kept', async (id) => {
    for (const path of ['/healthz', FILTERS, '/nothing']) {
      expect((await bare('GET', path, { 'X-Request-Id': id })).headers.get('x-request-id')).toBe(id);
    }
  });

  test.each(['', 'x'.repeat(129), 'a b', 'a/b', 'é', 'a,b', '{}'])('%j is replaced', async (id) => {
    const { headers } = await bare('GET', FILTERS, { 'X-Request-Id': id });
    expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect(headers.get('x-request-id')).not.toBe(id);
  });

  test('every answer has a different id', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await bare('GET', '/healthz')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(20);
  });
});

describe('methods and paths', () => {
  test.each([
    ['PUT', FILTERS, ['GET', 'POST']],
    ['DELETE', FILTERS, ['GET', 'POST']],
    ['GET', PREVIEW, ['POST']],
    ['DELETE', PREVIEW, ['POST']],
    ['POST', `${FILTERS}/fields`, ['GET']],
    ['PATCH', `${FILTERS}/fields`, ['GET']],
    ['PUT', `${FILTERS}/${UUID}`, ['DELETE', 'GET', 'PATCH']],
    ['POST', `${FILTERS}/${UUID}`, ['DELETE', 'GET', 'PATCH']],
    ['GET', `${FILTERS}/${UUID}/preview`, ['POST']],
    ['POST', SEARCH, ['GET']],
    ['POST', '/healthz', ['GET']],
  ])('%s %s is 405 and lists the allowed methods', async (method, path, methods) => {
    const answer = await bare(method, path);
    expect(refusalOf(answer)).toStrictEqual([405, 'method_not_allowed']);
    const allow = (answer.headers.get('allow') ?? '').split(', ');
    expect(allow.filter((name) => name !== 'HEAD' && name !== 'OPTIONS').toSorted()).toStrictEqual(methods);
  });

  test.each([
    '/',
    '/api',
    '/api/v1',
    '/api/v2/filters',
    '/api/v1/filter',
    `${FILTERS}/${UUID}/nothing`,
    `${FILTERS}/`,
    '/API/V1/FILTERS',
  ])('%s is 404', async (path) => {
    expect(refusalOf(await service.as('A-user')('GET', path))).toStrictEqual([404, 'not_found']);
  });

  test('HEAD answers as GET without a body, and OPTIONS lists the allowed methods', async () => {
    const head = await service.as('A-user')('HEAD', FILTERS);
    expect([head.status, head.text, head.headers.get('content-type')]).toStrictEqual([
      200,
      '',
      'application/json',
    ]);
    expect((await bare('HEAD', FILTERS)).status).toBe(401);
    const options = await bare('OPTIONS', FILTERS);
    expect([options.status, options.headers.get('allow')]).toStrictEqual([204, 'GET, HEAD, OPTIONS, POST']);
  });

  test('healthz and readyz need no credentials', async () => {
    expect((await bare('GET', '/healthz')).status).toBe(200);
    const ready = await bare('GET', '/readyz');
    const ofDatabase = service.store.kind === 'postgres' && {
      database: true,
      writable: true,
      migrations: true,
      role: true,
    };
    const details = { watchedFilters: expect.any(String) };
    expect([ready.status, ready.body]).toStrictEqual([
      200,
      { status: 'ready', checks: { ...ofDatabase, running: true }, details },
    ]);
    const body = async () => (await bare('GET', '/readyz')).body;
    await expect.poll(body).toHaveProperty('details.watchedFilters', 'current');
  });
});

describe('credentials', () => {
  const expectUnauthenticated = (answer: Answer) => {
    expect(refusalOf(answer)).toStrictEqual([401, 'unauthenticated']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer( |$)/);
  };

  test.each(ROUTES)('%s %s checks credentials before anything else', async (method, path, body) => {
    expectUnauthenticated(await bare(method, path, {}, body));
    expectUnauthenticated(await bare(method, path, {}, body === undefined ? undefined : 'not json'));
    expectUnauthenticated(await bare(method, path.replace(UUID, 'nonsense'), {}, body));
  });

  test.each(ROUTES)('%s %s refuses two credentials at once', async (method, path, body) => {
    const { Authorization = '' } = await service.credentialOf('A-user');
    const both = { Authorization, 'X-API-Key': service.tenants.keys['key-A'].key };
    expect(refusalOf(await bare(method, path, both, body))).toStrictEqual([400, 'ambiguous_credentials']);
  });

  test('the Bearer scheme is case-insensitive', async () => {
    const token = await service.issueToken(service.tenants.users['A-user'].id);
    expect((await bare('GET', FILTERS, { Authorization: `bearer ${token}` })).status).toBe(200);
  });

  test.each([
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'Bearer a b',
    'Token x',
    'Bearer garbage',
    'Bearer a.b.c',
  ])('the header %j is refused', async (Authorization) =>
    expectUnauthenticated(await bare('GET', FILTERS, { Authorization })),
  );

  test.each([
    '',
    'fsk_',
    'nonsense',
    `fsk_${'A'.repeat(43)}`,
    `fsk_${'A'.repeat(44)}`,
    `FSK_${'A'.repeat(43)}`,
  ])('the API key %j is refused', async (key) =>
    expectUnauthenticated(await bare('GET', FILTERS, { 'X-API-Key': key })),
  );

  test('an API key in the query is ignored', async () => {
    const { key } = service.tenants.keys['key-A'];
    expectUnauthenticated(
      await bare('GET', `${FILTERS}?api_key=${key}&X-API-Key=${key}&access_token=${key}`),
    );
  });

  test('an API key acts for its user', async () => {
    const { id, key } = service.tenants.keys['key-P-to-A'];
    const created = filterOf(
      await bare('POST', FILTERS, { 'X-API-Key': key }, { name: 'By key', conditions: CONDITIONS }),
    );
    expect([created.createdBy, created.orgId]).toStrictEqual([
      service.tenants.users['P-all'].id,
      service.tenants.orgIds.A,
    ]);
    expect(id).not.toBe(created.createdBy);
  });

  describe('access tokens', () => {
    const nowSeconds = () => Math.floor(Date.now() / 1_000);
    const claims = () => ({
      iss: 'urn:fleetsift',
      aud: 'urn:fleetsift:api',
      sub: service.tenants.users['A-user'].id as string,
      jti: newId() as string,
      iat: nowSeconds(),
      exp: nowSeconds() + 600,
      sid: newId() as string,
      aep: 1,
    });
    type Claims = Partial<Record<keyof ReturnType<typeof claims>, unknown>>;
    const sign = async (change: Claims = {}, header: Readonly<Record<string, unknown>> = {}) => {
      const { kid, key } = await service.composition.tokenKeys.signingKey();
      return new SignJWT({ ...claims(), ...change } as JWTPayload)
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header })
        .sign(key);
    };
    const use = (token: string) => bare('GET', FILTERS, { Authorization: `Bearer ${token}` });

    test('a valid token is accepted', async () => expect((await use(await sign())).status).toBe(200));

    test.each<readonly [string, Claims]>([
      ['of another issuer', { iss: 'urn:other' }],
      ['without issuer', { iss: undefined }],
      ['for another audience', { aud: 'urn:other' }],
      ['without audience', { aud: undefined }],
      ['that has expired', { exp: 1_700_000_000 }],
      ['that never expires', { exp: undefined }],
      ['without the time of issue', { iat: undefined }],
      ['that is not valid yet', { iat: 4_000_000_000, exp: 4_000_000_600 }],
      ['without jti', { jti: undefined }],
      ['without subject', { sub: undefined }],
      ['of an unknown user', { sub: UUID }],
      ['whose subject is no user id', { sub: 'admin' }],
    ])('a token %s is refused', async (_, change) => expectUnauthenticated(await use(await sign(change))));

    test('a token of a disabled user is refused', async () =>
      expectUnauthenticated(await use(await sign({ sub: service.tenants.users.disabled.id }))));

    test('a token that was tampered with is refused', async () => {
      const [head, , signature] = (await sign()).split('.');
      const other = { ...claims(), sub: service.tenants.users.system.id };
      const payload = Buffer.from(JSON.stringify(other)).toString('base64url');
      expectUnauthenticated(await use(`${head}.${payload}.${signature}`));
      expectUnauthenticated(await use((await sign()).slice(0, -4)));
    });

    test('a token with another algorithm is refused', async () => {
      const { keys } = (await bare('GET', '/.well-known/jwks.json')).body as {
        keys: readonly { kid: string; x: string }[];
      };
      const [key] = keys;
      if (key === undefined) throw new Error('no public key is served');
      const secrets = [Buffer.from(key.x, 'base64url'), Buffer.from(key.x), Buffer.from(JSON.stringify(key))];
      for (const alg of ['HS256', 'HS384', 'HS512']) {
        for (const secret of secrets) {
          const token = await new SignJWT(claims())
            .setProtectedHeader({ alg, typ: 'at+jwt', kid: key.kid })
            .sign(Buffer.concat([secret, Buffer.alloc(64)]));
          expectUnauthenticated(await use(token));
        }
      }
      expectUnauthenticated(await use(new UnsecuredJWT(claims()).encode()));
    });

    test('a token signed with a foreign key is refused, whatever its header says', async () => {
      const { kid } = await service.composition.tokenKeys.signingKey();
      const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
      for (const header of [
        { kid },
        { kid: 'unknown' },
        {},
        { kid, jku: 'https://example.com/jwks' },
        { kid: '../../etc/passwd' },
      ]) {
        const token = await new SignJWT(claims())
          .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', ...header })
          .sign(privateKey);
        expectUnauthenticated(await use(token));
      }
    });

    test('the public keys are served, and nothing private', async () => {
      const answer = await bare('GET', '/.well-known/jwks.json');
      const { keys } = answer.body as { keys: readonly object[] };
      expect(keys.length).toBeGreaterThan(0);
      for (const key of keys) {
        expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519' });
        expect(key).not.toHaveProperty('d');
      }
    });

    test('a token from before a password change is refused within a second', async () => {
      const user = aUser({ membership: { scope: 'organization', orgId: service.tenants.orgIds.A } });
      await loadFleet(service.composition.backend, [user]);
      const token = await sign({ sub: user.id });
      expect((await use(token)).status).toBe(200);
      await service.probe.changeUser(user.id, { newAuthEpoch: true });
      const end = performance.now() + 1_000;
      let answer = await use(token);
      while (answer.status === 200 && performance.now() < end) answer = await use(token);
      expectUnauthenticated(answer);
    });
  });
});
