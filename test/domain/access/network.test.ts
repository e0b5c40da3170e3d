import { describe, expect, test } from 'vitest';
import { clientOf, networkOf, siteOf } from '#domain/access/network.ts';

describe('an address', () => {
  test.each([
    ['192.0.2.77', '192.0.2.77', '192.0.2.0/24', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24', '192.0.2.0/24'],
    ['::FFFF:c000:24d', '192.0.2.77', '192.0.2.0/24', '192.0.2.0/24'],
    ['0:0:0:0:0:ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8::/64', '2001:db8::/64', '2001:db8::/48'],
    ['2001:db8:0:1::9', '2001:db8:0:1::/64', '2001:db8:0:1::/64', '2001:db8::/48'],
    ['::1', '::/64', '::/64', '::/48'],
    ['fe80::1%eth0', 'fe80::/64', 'fe80::/64', 'fe80::/48'],
    ['64:ff9b::192.0.2.77', '64:ff9b::/64', '64:ff9b::/64', '64:ff9b::/48'],
  ])('%s is the client %s of the network %s at the site %s', (address, client, network, site) => {
    expect([clientOf(address), networkOf(address), siteOf(address)]).toStrictEqual([client, network, site]);
  });

  test.each([
    [''],
    ['unknown'],
    ['192.0.2'],
    ['192.0.2.256'],
    ['192.0.02.1'],
    ['1:2:3:4:5:6:7'],
    ['1:2:3:4:5:6:7:8:9'],
    ['1::2::3'],
    ['1:2:3:4:5:6:7:8::'],
    ['::g'],
    ['12345::'],
    ['192.0.2.1::'],
  ])('that is none stands for itself: "%s"', (text) => {
    expect([clientOf(text), networkOf(text), siteOf(text)]).toStrictEqual([text, text, text]);
  });
});
