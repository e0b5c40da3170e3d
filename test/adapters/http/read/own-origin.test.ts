/** Whether a browser's request comes from our own pages, and whether over TLS, behind proxies too (Contract: §14). */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { makeOwnOrigin } from '#adapters/http/read/own-origin.ts';

const PROXY = '10.0.0.1';
const STRANGER = '192.0.2.1';
const PUBLIC = 'https://fleet.example';

interface Given {
  readonly baseUrl?: string | null;
  readonly url?: string;
  readonly peer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the routes would do: refuse, or answer whether the client has come over TLS. */
async function ask({ baseUrl = null, url = 'http://10.0.0.9:3000/', peer, headers = {} }: Given) {
  const { requireOwnOrigin, isSecure } = makeOwnOrigin({ baseUrl, trustedProxies: ['10.0.0.0/8'] });
  const app = new Hono<HttpEnv>();
  app.post('/', requireOwnOrigin, (c) => c.json(isSecure(c)));
  const incoming = { socket: { remoteAddress: peer } } as unknown as HttpBindings['incoming'];
  const bindings = peer === undefined ? {} : { incoming };
  const response = await app.request(url, { method: 'POST', headers }, bindings);
  return response.status === 200 ? { isSecure: await response.json() } : response.status;
}

const PLAIN = { isSecure: false };
const SECURE = { isSecure: true };

describe('the Origin of a request', () => {
  test.each<[string, Given, object | number]>([
    ['may be the same address', { headers: { Origin: 'http://10.0.0.9:3000' } }, PLAIN],
    ['must not have another port', { headers: { Origin: 'http://10.0.0.9:3001' } }, 403],
    ['must not have another scheme', { headers: { Origin: 'https://10.0.0.9:3000' } }, 403],
    ['must not have another host', { headers: { Origin: 'http://10.0.0.8:3000' } }, 403],
    ['must not be null', { headers: { Origin: 'null' } }, 403],
    ['must not be empty', { headers: { Origin: '' } }, 403],
    ['must not have a path', { headers: { Origin: 'http://10.0.0.9:3000/' } }, 403],
    ['may be that of BASE_URL', { baseUrl: `${PUBLIC}/`, headers: { Origin: PUBLIC } }, SECURE],
    ['must not only begin like BASE_URL', { baseUrl: PUBLIC, headers: { Origin: `${PUBLIC}.evil` } }, 403],
    [
      "may be the service's own address, beside BASE_URL",
      { baseUrl: PUBLIC, headers: { Origin: 'http://10.0.0.9:3000' } },
      SECURE,
    ],
    [
      'may be a Host that is in capitals and has the default port',
      { headers: { Host: 'FLEET.example:80', Origin: 'http://fleet.example' } },
      PLAIN,
    ],
    ['must not be an invalid Host', { headers: { Host: 'a b', Origin: 'http://a b' } }, 403],
    [
      'may have https behind a proxy that says so',
      { peer: PROXY, headers: { Host: 'fleet.example', 'X-Forwarded-Proto': 'https', Origin: PUBLIC } },
      SECURE,
    ],
    [
      'must not have https because a stranger says so',
      { peer: STRANGER, headers: { Host: 'fleet.example', 'X-Forwarded-Proto': 'https', Origin: PUBLIC } },
      403,
    ],
    [
      'must not have http behind a proxy that says https',
      {
        peer: PROXY,
        headers: { Host: 'fleet.example', 'X-Forwarded-Proto': 'https', Origin: 'http://fleet.example' },
      },
      403,
    ],
    [
      'must not be null where a proxy names an unknown scheme',
      { peer: PROXY, headers: { Host: 'x', 'X-Forwarded-Proto': 'evil', Origin: 'null' } },
      403,
    ],
  ])('%s', async (_what, given, expected) => {
    expect(await ask(given)).toStrictEqual(expected);
  });
});

test.each<[string | null, object | number]>([
  [null, PLAIN],
  ['same-origin', PLAIN],
  ['none', PLAIN],
  ['same-site', 403],
  ['cross-site', 403],
])('Sec-Fetch-Site %s is answered with %j', async (site, expected) => {
  expect(await ask({ headers: site === null ? {} : { 'Sec-Fetch-Site': site } })).toStrictEqual(expected);
});

test.each<[string, Given, object]>([
  ['uses no TLS if nobody says so', {}, PLAIN],
  ['uses TLS if BASE_URL says so', { baseUrl: PUBLIC }, SECURE],
  ['uses no TLS if BASE_URL says otherwise', { baseUrl: 'http://fleet.example' }, PLAIN],
  ['uses TLS if its request does', { url: 'https://10.0.0.9:3000/' }, SECURE],
  ['uses TLS if a trusted proxy says so', { peer: PROXY, headers: { 'X-Forwarded-Proto': 'HTTPS' } }, SECURE],
  [
    'uses TLS if the first of several says so',
    { peer: PROXY, headers: { 'X-Forwarded-Proto': 'https, http' } },
    SECURE,
  ],
  ['uses no TLS if a proxy says otherwise', { peer: PROXY, headers: { 'X-Forwarded-Proto': 'http' } }, PLAIN],
  ['uses no TLS if a stranger says so', { peer: STRANGER, headers: { 'X-Forwarded-Proto': 'https' } }, PLAIN],
  ['uses no TLS if a peer without an address says so', { headers: { 'X-Forwarded-Proto': 'https' } }, PLAIN],
])('a client %s', async (_what, given, expected) => {
  expect(await ask(given)).toStrictEqual(expected);
});
