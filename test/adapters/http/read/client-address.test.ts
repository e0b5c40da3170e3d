/** The client's address: the peer's, or what a trusted proxy says it is (Contract: §2). */
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { AS_USER, FILTER_URL, fakeHttp } from '#test/support/http/http-fakes.ts';

const PROXIES = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '2001:db8::1', '::ffff:203.0.113.9'];

/** The address that the use case gets for a request from this peer. */
async function findAddress(peer: string | undefined, forwarded: string | null, trustedProxies = PROXIES) {
  const { app, filters } = fakeHttp({ trustedProxies });
  const incoming = { socket: { remoteAddress: peer } } as IncomingMessage;
  const headers = { ...AS_USER, ...(forwarded !== null && { 'X-Forwarded-For': forwarded }) };
  await app.request(FILTER_URL, { headers }, { incoming });
  return filters.readFilter.mock.calls[0]?.[0].ip;
}

describe('without trusted proxies', () => {
  test.each([
    ['198.51.100.7', null, '198.51.100.7'],
    ['198.51.100.7', '1.2.3.4', '198.51.100.7'],
    ['10.0.0.1', '1.2.3.4', '10.0.0.1'],
    ['::1', null, '::1'],
    ['::ffff:198.51.100.7', null, '198.51.100.7'],
    ['::FFFF:198.51.100.7', null, '198.51.100.7'],
    ['fe80::1%eth0', null, 'fe80::1'],
  ])('the client of peer %s with X-Forwarded-For %s is %s', async (peer, forwarded, ip) => {
    expect(await findAddress(peer, forwarded, [])).toBe(ip);
  });
});

describe('with trusted proxies', () => {
  test.each([
    // A peer that is no trusted proxy is the client, whatever it says.
    ['198.51.100.7', '1.2.3.4', '198.51.100.7'],
    ['192.0.2.2', '1.2.3.4', '192.0.2.2'],
    // A proxy that says nothing is the client itself.
    ['10.1.2.3', null, '10.1.2.3'],
    ['10.1.2.3', '', '10.1.2.3'],
    // The client is the right-most address that is no proxy.
    ['10.1.2.3', '1.2.3.4', '1.2.3.4'],
    ['192.0.2.1', '1.2.3.4', '1.2.3.4'],
    ['203.0.113.9', '1.2.3.4', '1.2.3.4'],
    ['fd12::9', '1.2.3.4', '1.2.3.4'],
    ['2001:db8::1', '1.2.3.4', '1.2.3.4'],
    ['2001:db8::2', '1.2.3.4', '2001:db8::2'],
    ['::ffff:10.1.2.3', '1.2.3.4', '1.2.3.4'],
    ['10.1.2.3', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['10.1.2.3', '6.6.6.6, 1.2.3.4, 10.9.9.9, 192.0.2.1', '1.2.3.4'],
    ['10.1.2.3', '  1.2.3.4  ,10.9.9.9', '1.2.3.4'],
    ['10.1.2.3', '10.7.7.7, 10.9.9.9', '10.7.7.7'],
    ['10.1.2.3', '::ffff:1.2.3.4', '1.2.3.4'],
    ['10.1.2.3', '2001:DB8::7', '2001:db8::7'],
    // With a port, as some proxies write it.
    ['10.1.2.3', '1.2.3.4:5678', '1.2.3.4'],
    ['10.1.2.3', '[2001:db8::7]:5678', '2001:db8::7'],
    ['10.1.2.3', '[2001:db8::7]', '2001:db8::7'],
    ['10.1.2.3', '6.6.6.6, 10.9.9.9:80', '6.6.6.6'],
    // A value that is no address ends the search: anything may stand to its left.
    ['10.1.2.3', 'unknown', '10.1.2.3'],
    ['10.1.2.3', '6.6.6.6, unknown', '10.1.2.3'],
    ['10.1.2.3', '6.6.6.6, unknown, 10.9.9.9', '10.9.9.9'],
    ['10.1.2.3', 'unknown, 1.2.3.4', '1.2.3.4'],
    ['10.1.2.3', '<script>, 1.2.3.4', '1.2.3.4'],
    ['10.1.2.3', '1.2.3', '10.1.2.3'],
    ['10.1.2.3', '1.2.3.4.5', '10.1.2.3'],
    ['10.1.2.3', '01.2.3.4', '10.1.2.3'],
    ['10.1.2.3', '1.2.3.4;drop table', '10.1.2.3'],
    ['10.1.2.3', '1.2.3.4,', '10.1.2.3'],
    ['10.1.2.3', ',,,', '10.1.2.3'],
    ['10.1.2.3', '[1.2.3.4', '10.1.2.3'],
  ])('the client of peer %s with X-Forwarded-For %j is %s', async (peer, forwarded, ip) => {
    expect(await findAddress(peer, forwarded)).toBe(ip);
  });

  test('a request without a socket has no address', async () => {
    const { app, filters } = fakeHttp({ trustedProxies: PROXIES });
    await app.request(FILTER_URL, { headers: { ...AS_USER, 'X-Forwarded-For': '1.2.3.4' } });
    expect(filters.readFilter.mock.calls[0]?.[0].ip).toBeNull();
  });
});

describe('a trusted proxy', () => {
  test.each([
    '',
    'localhost',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/a',
    '10.0.0',
    '::/129',
    'fd00::/ ',
    '*',
  ])('cannot be %j', (proxy) => {
    expect(() => fakeHttp({ trustedProxies: ['10.0.0.1', proxy] })).toThrow(
      `"${proxy}" is neither an address nor a CIDR block such as 10.0.0.0/8 or fd00::/8`,
    );
  });

  test.each(['0.0.0.0/0', '::/0', ' 10.0.0.1 ', '10.0.0.1/32', '::1/128'])('can be %j', (proxy) => {
    expect(fakeHttp({ trustedProxies: [proxy] }).lines).toStrictEqual([]);
  });
});
