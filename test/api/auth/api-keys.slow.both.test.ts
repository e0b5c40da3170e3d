/** API keys, with a test for each line of the contract (Contract: §2). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTH, type AuthService, startAuthService, tokensOf } from '#test/api/service/auth-service.ts';
import { problemOf, refusalOf } from '#test/api/service/service.ts';
import { until } from '#test/support/database/until.ts';
import { INSTANT } from '#test/support/shapes.ts';

const UUID = /^[0-9a-f-]{36}$/;

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

describe('/auth/api-keys', () => {
  const KEYS = `${AUTH}/api-keys`;
  const withMfa = async (given: Parameters<AuthService['addEnrolledUser']>[0] = {}) =>
    (await service.signInWithMfa(await service.addEnrolledUser(given))).accessToken;
  const create = (token: string, body: object = { name: 'Deployment' }) =>
    service.ask('POST', KEYS, body, token);
  const askWithKey = (key: string, path = `${AUTH}/me`) =>
    service.as('none')('GET', path, undefined, { 'X-API-Key': key });

  test('POST creates a key, and shows it only once', async () => {
    const { orgIds } = service.tenants;
    const token = await withMfa({
      membership: { scope: 'organization', orgId: orgIds.A },
      permissions: ['users:write', 'devices:read'],
    });
    const answer = await create(token, {
      name: '  Nightly export  ',
      permissions: ['users:write', 'users:write'],
      expiresAt: '2099-01-31',
    });
    const { key, ...summary } = answer.body as { key: string; id: string };
    expect([answer.status, summary]).toStrictEqual([
      201,
      {
        id: expect.stringMatching(UUID),
        name: 'Nightly export',
        orgId: null,
        permissions: ['users:write'],
        expiresAt: '2099-01-31T00:00:00.000Z',
        createdAt: expect.stringMatching(INSTANT),
      },
    ]);
    expect(key).toMatch(/^fsk_[\w-]{43}$/);
    expect((await askWithKey(key)).body).toMatchObject({
      scope: 'organization',
      orgId: orgIds.A,
      permissions: ['users:write'],
      isPlatformAdmin: false,
    });
    const listed = await service.ask('GET', KEYS, undefined, token);
    expect([listed.status, listed.body]).toStrictEqual([200, { data: [summary], total: 1 }]);
  });

  test('POST gives a key no permissions and no expiry unless they are named', async () => {
    const answer = await create(await withMfa({ permissions: ['users:write'] }));
    expect(answer.body).toMatchObject({ permissions: [], expiresAt: null });
  });

  test('POST gives no permission that the user does not have', async () => {
    const token = await withMfa({ permissions: ['devices:read'] });
    expect(
      refusalOf(await create(token, { name: 'x', permissions: ['devices:read', 'users:write'] })),
    ).toStrictEqual([403, 'forbidden']);
    expect((await service.ask('GET', KEYS, undefined, token)).body).toStrictEqual({ data: [], total: 0 });
  });

  test.each([
    [['user:write'], 'user:write (did you mean users:write?)'],
    [['Devices-Write', 'scripts:run'], 'Devices-Write (did you mean devices:write?), scripts:run'],
    [['reports:reed', 'users:write'], 'reports:reed (did you mean reports:read?), users:write'],
  ])('POST proposes what a misspelt permission in %j meant', async (permissions, named) => {
    const token = await withMfa({ permissions: ['reports:read'] });
    const answer = await create(token, { name: 'x', permissions });
    expect([answer.status, problemOf(answer)]).toMatchObject([
      403,
      { detail: `An API key cannot have permissions that you do not have yourself: ${named}.` },
    ]);
  });

  test('a key loses a permission when its user does', async () => {
    const enrolled = await service.addEnrolledUser({ permissions: ['users:write'] });
    const { accessToken } = await service.signInWithMfa(enrolled);
    const answer = await create(accessToken, { name: 'x', permissions: ['users:write'] });
    const { key } = answer.body as { key: string };
    await service.probe.changeUser(enrolled.user.id, { permissions: [] });
    await until(async () => (await askWithKey(key)).text.includes('"permissions":[]'));
  });

  test('POST needs recent MFA', async () => {
    const enrolled = await service.addEnrolledUser();
    const { refreshToken } = await service.signInWithMfa(enrolled);
    service.pass(901);
    const { accessToken } = tokensOf(await service.refresh(refreshToken));
    const answer = await create(accessToken);
    expect([refusalOf(answer), answer.headers.get('www-authenticate')]).toStrictEqual([
      [401, 'mfa_required'],
      'Bearer error="insufficient_user_authentication", max_age="900"',
    ]);
  });

  test('POST needs MFA to be set up', async () => {
    const { accessToken } = await service.signIn(await service.addUser());
    expect(refusalOf(await create(accessToken))).toStrictEqual([403, 'mfa_enrollment_required']);
  });

  test.each([
    ['no name', {}, ['name']],
    ['an empty name', { name: '  ' }, ['name']],
    ['a name of 201 characters', { name: 'é'.repeat(201) }, ['name']],
    ['a name with a NUL', { name: 'a\u0000' }, ['name']],
    ['permissions that are not a list', { name: 'x', permissions: 'users:write' }, ['permissions']],
    ['permissions that are not strings', { name: 'x', permissions: [1] }, ['permissions']],
    ['an expiry in the past', { name: 'x', expiresAt: '2020-01-01' }, ['expiresAt']],
    ['an expiry that is no date', { name: 'x', expiresAt: 'tomorrow' }, ['expiresAt']],
    ['an expiry after the year 9999', { name: 'x', expiresAt: '9999-12-31T23:59-14:00' }, ['expiresAt']],
    ['everything wrong', { name: 1, permissions: 2, expiresAt: 3 }, ['name', 'permissions', 'expiresAt']],
  ])('POST refuses %s', async (_what, body, paths) => {
    const [status, code, ...faults] = refusalOf(await create(await withMfa(), body));
    expect([status, code, faults.map(([path]) => path)]).toStrictEqual([400, 'validation_failed', paths]);
  });

  test('GET lists only the caller’s own keys, newest first', async () => {
    const token = await withMfa();
    await create(await withMfa(), { name: 'another’s' });
    await create(token, { name: 'first' });
    service.pass(1);
    await create(token, { name: 'second' });
    const { data } = (await service.ask('GET', KEYS, undefined, token)).body as { data: { name: string }[] };
    expect(data.map(({ name }) => name)).toStrictEqual(['second', 'first']);
  });

  test('DELETE revokes a key: it stops working, and is gone from the list', async () => {
    const token = await withMfa();
    const { key, id } = (await create(token)).body as { key: string; id: string };
    expect((await askWithKey(key)).status).toBe(200);
    const answer = await service.ask('DELETE', `${KEYS}/${id}`, undefined, token);
    expect([answer.status, answer.text]).toStrictEqual([204, '']);
    await until(async () => (await askWithKey(key)).status === 401);
    expect((await service.ask('GET', KEYS, undefined, token)).body).toStrictEqual({ data: [], total: 0 });
    expect(refusalOf(await service.ask('DELETE', `${KEYS}/${id}`, undefined, token))).toStrictEqual([
      404,
      'not_found',
    ]);
  });

  test.each([
    ['another person’s key', async () => ((await create(await withMfa())).body as { id: string }).id],
    ['an unknown key', async () => service.tenants.unknownId],
    ['a malformed id', async () => 'x'],
  ])('DELETE answers 404 for %s', async (_what, idOf) => {
    const id = await idOf();
    const { accessToken } = await service.signIn(await service.addUser());
    expect(refusalOf(await service.ask('DELETE', `${KEYS}/${id}`, undefined, accessToken))).toStrictEqual([
      404,
      'not_found',
    ]);
  });
});
