/** A change of access takes effect at once in the instance that made it (Contract: §2). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUTH, type AuthService, startAuthService, type Tokens } from '#test/api/service/auth-service.ts';
import { FILTERS, refusalOf } from '#test/api/service/service.ts';
import { loadFleet } from '#test/support/tenant.ts';

let service: AuthService;

beforeAll(async () => {
  service = await startAuthService();
});

afterAll(() => service.close());

const post = (path: string, body: object, token?: string) =>
  service.ask('POST', `${AUTH}${path}`, body, token);
/** The status with a token; from then on, the service answers from what it remembers of the user. */
const statusWith = async (token: string) => (await service.ask('GET', FILTERS, undefined, token)).status;
const statusWithKey = async (key: string) =>
  (await service.as('none')('GET', FILTERS, undefined, { 'X-API-Key': key })).status;

test('setting up a factor: a token from before needs MFA, and no longer needs to set it up', async () => {
  const user = await service.addUser();
  const { accessToken } = await service.signIn(user);
  const create = () => post('/api-keys', { name: 'x' }, accessToken);
  const offer = await post('/mfa/enroll', { password: user.password }, accessToken);
  const code = service.nextCode((offer.body as { secret: string }).secret);
  expect(refusalOf(await create())).toStrictEqual([403, 'mfa_enrollment_required']);
  expect((await post('/mfa/enroll/confirm', { code }, accessToken)).status).toBe(200);
  expect(refusalOf(await create())).toStrictEqual([401, 'mfa_required']);
});

test('signing out: the access token stops working', async () => {
  const { accessToken, refreshToken } = await service.signIn(await service.addUser());
  expect(await statusWith(accessToken)).toBe(200);
  expect((await post('/logout', { refreshToken })).status).toBe(204);
  expect(await statusWith(accessToken)).toBe(401);
});

test('a refresh token that is used twice: the access tokens of its session stop working', async () => {
  const first = await service.signIn(await service.addUser());
  const { accessToken } = (await post('/refresh', { refreshToken: first.refreshToken })).body as Tokens;
  expect(await statusWith(accessToken)).toBe(200);
  expect((await post('/refresh', { refreshToken: first.refreshToken })).status).toBe(401);
  expect(await statusWith(accessToken)).toBe(401);
});

test('revoking an API key: the key stops working', async () => {
  const { accessToken } = await service.signInWithMfa(await service.addEnrolledUser());
  const { key, id } = (await post('/api-keys', { name: 'x' }, accessToken)).body as {
    key: string;
    id: string;
  };
  expect(await statusWithKey(key)).toBe(200);
  expect((await service.ask('DELETE', `${AUTH}/api-keys/${id}`, undefined, accessToken)).status).toBe(204);
  expect(await statusWithKey(key)).toBe(401);
});

test('loading a user again: issued tokens stop working, and keys have the new permissions', async () => {
  const enrolled = await service.addEnrolledUser({ permissions: ['users:write'] });
  const { accessToken } = await service.signInWithMfa(enrolled);
  const created = await post('/api-keys', { name: 'x', permissions: ['users:write'] }, accessToken);
  const { key } = created.body as { key: string };
  const administer = async () =>
    (await service.as('none')('GET', '/api/v1/admin/audit-log', undefined, { 'X-API-Key': key })).status;
  expect([await statusWith(accessToken), await administer()]).toStrictEqual([200, 200]);
  await loadFleet(service.composition.backend, [{ ...enrolled.user, permissions: [] }]);
  expect([await statusWith(accessToken), await administer()]).toStrictEqual([401, 403]);
});
