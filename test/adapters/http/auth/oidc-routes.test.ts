/** Where a visit to an identity provider leads, below a path too (Contract: §15, §16). */
import { expect, test } from 'vitest';

import { fakeHttp } from '#test/support/http/http-fakes.ts';

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
