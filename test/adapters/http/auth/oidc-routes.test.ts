/** Where a visit to an identity provider leads, below a path too (Contract: §15, §16). */
import { expect, test, vi } from 'vitest';
import { ok } from '#domain/result.ts';
import { anIdentityProvider, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { SINGLE_BUDGETS } from '#test/support/http/budgets.ts';
import { fakeHttp } from '#test/support/http/http-fakes.ts';
import { makeMemoryAuth } from '#test/support/http/memory-auth.ts';
import { createTenant } from '#test/support/tenant.ts';

const HTML = { 'Content-Type': 'text/html' };
const PAGES: readonly string[] = ['/devices', '/login'];

const findPages = () => ({
  find: (path: string) =>
    PAGES.includes(path) ? { status: 200 as const, body: new Uint8Array(), headers: HTML } : null,
  notFound: () => ({ status: 404 as const, body: new Uint8Array(), headers: HTML }),
});

const { app } = fakeHttp({ baseUrl: 'https://portal.example/fleet', findPages });

async function leadsTo(next: string): Promise<URL> {
  const query = new URLSearchParams({ email: 'mei@nobody.example', next });
  const answer = await app.request(`/fleet/api/v1/auth/oidc/start?${query}`);
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get('Location') ?? '', 'https://portal.example');
}

test.each(['/devices', '/devices?q=os%3Alinux&org=7#top'])('the parameter next is kept: %s', async (next) => {
  const page = await leadsTo(next);
  expect([page.pathname, page.searchParams.get('next')]).toStrictEqual(['/fleet/login', next]);
});

test.each([
  ...['https://evil.example/devices', '//evil.example/devices', '/\\evil.example', '/.//devices', 'devices'],
  ...['/api/v1/users', '/nowhere', '', '/\tdevices/../..//devices', `/devices?q=${'x'.repeat(1_500)}`],
])('the parameter next is dropped: %j', async (next) => {
  const page = await leadsTo(next);
  expect([page.pathname, page.searchParams.get('next')]).toStrictEqual(['/fleet/login', null]);
});

test('a slow provider keeps no turn from other visitors, on the way there and back', async () => {
  const slow = Promise.withResolvers<never>();
  const [start, finish] = [vi.fn(async () => ok('https://id.example/auth')), vi.fn(() => slow.promise)];
  const { auth, backend } = makeMemoryAuth({
    openIdProviders: {
      newSecrets: () => ({ state: 'a state', nonce: 'a nonce', codeVerifier: 'a verifier' }),
      start,
      finish,
    },
  });
  const { orgId } = await createTenant(backend);
  const provider = anIdentityProvider({ owner: { kind: 'organization', orgId } });
  await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.identityProviders.add(provider, 'hush'));
  const { app: busy } = fakeHttp({ auth, budgets: SINGLE_BUDGETS });
  const begin = () => busy.request(`/api/v1/auth/oidc/start?provider=${provider.id}`);
  const cookie = (await begin()).headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const others = async () => (await busy.request('/api/v1/auth/login', { method: 'POST' })).status;

  start.mockReturnValueOnce(slow.promise);
  void begin();
  await vi.waitFor(() => expect(start).toHaveBeenCalledTimes(2));
  expect(await others()).toBe(400);

  void busy.request('/api/v1/auth/oidc/callback?state=a+state&code=c', { headers: { Cookie: cookie } });
  await vi.waitFor(() => expect(finish).toHaveBeenCalledOnce());
  expect(await others()).toBe(400);
});
